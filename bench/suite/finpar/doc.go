// Package finpar has the programs of FinPar, and the calibration of Heston's model: parallel finance.
package finpar
