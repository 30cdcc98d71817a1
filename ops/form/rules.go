package form

// rules are applied in this order.
var rules = []Rule{}
