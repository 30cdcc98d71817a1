package codegen

import "github.com/surge-ndp/surge/ops/form"

// NoForm says why there is no form that the text of a variant names, by the reason of the rule; "" if it names none, or
// one that there is.
func (k *Kernel) NoForm(text string) string { return form.WhyNot(k.Forms, text) }
