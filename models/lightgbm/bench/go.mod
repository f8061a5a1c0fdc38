module recoup/models/lightgbm/bench

go 1.26
