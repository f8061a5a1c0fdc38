// Package lightgbm reads LightGBM's text models strictly and scores them exactly.
package lightgbm
