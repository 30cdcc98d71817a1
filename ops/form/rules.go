package form

// Rules are all that there are; they are applied in this order.
var Rules = []Rule{delinearise, flat, strips}
