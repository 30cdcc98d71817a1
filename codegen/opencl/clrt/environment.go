package clrt

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
)

// CheckEnvironment returns an error that names a variable of the environment whose value is no number where one is
// wanted: SURGE_OPENCL_CACHE_SIZE or SURGE_SUBGROUP_SIZE. A program runs with such a value as if the variable were
// not set, or its kernels fail to build, so that a command line had better refuse it.
func CheckEnvironment() error {
	_, size := wholeNumber(sizeVariable, 0)
	_, subgroup := wholeNumber(subgroupVariable, 1)
	return cmp.Or(size, subgroup)
}

// wholeNumber is the value of a variable of the environment, 0 if it is not set, and an error if it is none of at least
// least.
func wholeNumber(variable string, least int64) (int64, error) {
	text := os.Getenv(variable)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < least {
		return 0, fmt.Errorf("the environment variable %s is %q, and takes a whole number of at least %d", variable, text, least)
	}
	return n, nil
}
