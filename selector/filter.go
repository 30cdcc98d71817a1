package selector

import "errors"

// Filter returns the variants that agree with every text, as [Match] takes them, of each computation. A computation for
// which one of the texts means nothing has none of them; a text that means nothing for any is an error, which speaks of
// all.
func Filter(texts []string, variants []Variant, cores int) ([]Variant, error) {
	if len(variants) == 0 && len(texts) > 0 {
		return nil, errors.New("there are no variants")
	}
	for _, text := range texts {
		var kept []Variant
		var all []Code
		for start := 0; start < len(variants); {
			group := start
			for ; start < len(variants) && variants[start].Computation == variants[group].Computation; start++ {
				all = append(all, Code{Variant: variants[start]})
			}
			matching, _ := Match(text, all[group:start], cores)
			for _, c := range matching {
				kept = append(kept, c.Variant)
			}
		}
		if len(kept) == 0 {
			_, err := Match(text, all, cores)
			return nil, err
		}
		variants = kept
	}
	return variants, nil
}
