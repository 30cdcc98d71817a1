package rodinia

import "math"

// The values that make up a cell's state, in Rodinia's order: what is open, what is bound, in the cleft at the
// junction with the sarcoplasmic reticulum (J), below the surface (S), and in the rest of the cell (C). Concentrations
// are in millimoles a litre, the voltage in millivolts.
const (
	sodiumM = iota
	sodiumH
	sodiumJ
	calciumD
	calciumF
	calciumBoundJ
	calciumBoundS
	slowOutX
	slowOutY
	fastOutX
	fastOutY
	rapidX
	delayedX
	releaseReady
	releaseOpen
	releaseShut
	bufferNaJ
	bufferNaS
	troponinLow
	troponinHigh
	troponinMg
	_
	myosinCa
	myosinMg
	bufferSR
	bufferLowJ
	bufferLowS
	bufferHighJ
	bufferHighS
	calsequestrin
	caSR
	naJ
	naS
	naC
	potassium
	caJ
	caS
	caC
	voltage
	slowOutR
	_
	_
	throughChannels
	throughPumps
	exchanged
	leaked
	firstCalmodulin // where the three parts have theirs: each of the parts of partStates
	perPart         = 15
	states          = firstCalmodulin + 3*perPart
)

// What is the same in all cells.
const (
	faraday  = 96485.0
	perVolt  = faraday / 8314 / 310 // faraday over the gas constant and the temperature
	capacity = 1.3810e-10
	cell     = 3.1416 * 10.25 * 10.25 * 100 * 1e-15 // litres
	inner    = 0.65 * cell
	store    = 0.035 * cell
	surface  = 0.02 * cell
	junction = 0.0539 * 0.01 * cell
	outK     = 5.4
	outNa    = 140.0
	outCa    = 1.8
	inMg     = 1.0
	outNa3   = outNa * outNa * outNa
	inCl     = 15.0
	outCl    = 150.0

	caJtoS = 1 / 1.2134e12
	caStoC = 1 / 2.68510e11
	naJtoS = 1 / (1.6382e12 / 3 * 100)
	naStoC = 1 / (1.8308e10 / 3 * 100)
)

func exp(x float32) float32    { return float32(math.Exp(float64(x))) }
func log(x float32) float32    { return float32(math.Log(float64(x))) }
func pow(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) }

// fall goes from 1 to 0 as x grows, about 0.
func fall(x float32) float32 { return 1 / (1 + exp(x)) }

// bind is how fast a buffer of a size takes up what there is of something.
func bind(on, off, there, size, bound float32) float32 { return on*there*(size-bound) - off*bound }

// flow is what drives ions of some valence through an open channel at a voltage, given how many there are inside and
// outside.
func flow(valence, activity, in, out, v float32) float32 {
	e := exp(valence * v * perVolt)
	return valence * valence * v * faraday * perVolt * activity * (in*e - out) / (e - 1)
}

// membrane is a part of the membrane: its share of all of it, and of the channels of calcium; what there is of sodium
// and calcium below it, and which part of its channels calcium has bound to.
type membrane struct{ share, channels, na, ca, bound float32 }

// currents through a part of the membrane.
type currents struct{ na, ca, pump, slow, chloride, channel, exchange, sarcolemmal, background float32 }

// through computes the currents of sodium and calcium. Open are the parts of sodium's and calcium's channels that are,
// pumped is how fast sodium's pump is at the voltage, and x how far the slow channels of potassium are open.
func (m membrane) through(v, openNa, openCa, pumped, x, potassiumRest float32) (c currents) {
	na3 := m.na * m.na * m.na
	toNa := v - log(outNa/m.na)/perVolt
	ratio := 11 / m.na
	c.pump = m.share * 1.90719 * pumped * outK / (1 + ratio*ratio*ratio*ratio) / (outK + 1.5)
	pCa := 3 - log(m.ca)/float32(math.Ln10)
	c.slow = m.share * 0.07 * (0.057 + 0.19*fall((pCa-7.2)/0.6)) * x * x * (v - potassiumRest)
	c.chloride = m.share * 0.109625 / (1 + 0.1/m.ca) * (v - log(float32(inCl/outCl))/perVolt)
	c.channel = 0.45 * m.channels * 5.4e-4 * flow(2, 0.341, m.ca, outCa, v) * openCa * (1 - m.bound)
	channelNa := 0.45 * m.channels * 1.5e-8 * flow(1, 0.75, m.na, outNa, v) * openCa * (1 - m.bound)
	act := 0.256e-3 / m.ca
	in, out := exp(0.35*v*perVolt)*na3*outCa, exp(-0.65*v*perVolt)*outNa3*m.ca
	const kmCa, kmNa = 3.59e-3, 12.29
	near := m.na / kmNa
	all := kmCa*outNa3*(1+near*near*near) + 87.5*87.5*87.5*m.ca + kmNa*kmNa*kmNa*outCa*(1+m.ca/kmCa) + 1.3*na3 + na3*outCa + outNa3*m.ca
	c.exchange = m.share * 9 / (1 + act*act*act) * (in - out) / (all * (1 + 0.27*exp(-0.65*v*perVolt)))
	many := pow(m.ca, 1.6)
	c.sarcolemmal = m.share * 0.0673 * many / (pow(0.5e-3, 1.6) + many)
	c.background = m.share * 2.513e-4 * (v - log(outCa/m.ca)/(2*perVolt))
	c.na = m.share*(16*openNa+0.297e-3)*toNa + 3*c.exchange + 3*c.pump + channelNa
	c.ca = c.channel + c.background + c.sarcolemmal - 2*c.exchange
	return c
}

// rates is how fast each value of a state changes at a time.
func rates(t float32, y, parameters []float32) []float32 {
	d := make([]float32, states)
	v := y[voltage]

	am, bm := 0.32*(v+47.13)/(1-exp(-0.1*(v+47.13))), 0.08*exp(-v/11)
	var ah, aj, bh, bj float32
	if v >= -40 {
		bh = fall(-(v+10.66)/11.1) / 0.13
		bj = 0.3 * exp(-2.535e-7*v) * fall(-0.1*(v+32))
	} else {
		ah = 0.135 * exp(-(80+v)/6.8)
		bh = 3.56*exp(0.079*v) + 3.1e5*exp(0.35*v)
		aj = (-127140*exp(0.2444*v) - 3.474e-5*exp(-0.04391*v)) * (v + 37.78) * fall(0.311*(v+79.23))
		bj = 0.1212 * exp(-0.01052*v) * fall(-0.1378*(v+40.14))
	}
	d[sodiumM] = am*(1-y[sodiumM]) - bm*y[sodiumM]
	d[sodiumH] = ah*(1-y[sodiumH]) - bh*y[sodiumH]
	d[sodiumJ] = aj*(1-y[sodiumJ]) - bj*y[sodiumJ]

	// Channels of potassium, by how far they would be open in the end and how soon.
	toK := v - log(outK/y[potassium])/perVolt
	d[rapidX] = (fall(-(v+50)/7.5) - y[rapidX]) * (0.00138*(v+7)/(1-exp(-0.123*(v+7))) + 6.1e-4*(v+10)/(exp(0.145*(v+10))-1))
	d[delayedX] = (fall(-(v-1.5)/16.7) - y[delayedX]) * (7.19e-5*(v+30)/(1-exp(-0.148*(v+30))) + 1.31e-4*(v+30)/(exp(0.0687*(v+30))-1))
	xEnd, yEnd := fall(-(v+3)/15), fall((v+33.5)/10)
	d[slowOutX] = (xEnd - y[slowOutX]) / (9*fall((v+3)/15) + 0.5)
	d[slowOutY] = (yEnd - y[slowOutY]) / (3000*fall((v+60)/10) + 30)
	d[slowOutR] = (yEnd - y[slowOutR]) / (2800*fall((v+60)/10) + 220)
	d[fastOutX] = (xEnd - y[fastOutX]) / (3.5*exp(-v*v/900) + 1.5)
	d[fastOutY] = (yEnd - y[fastOutY]) / (20*yEnd + 20)
	inwardOn := 1.02 * fall(0.2385*(toK-59.215))
	inwardOff := (0.49124*exp(0.08032*(toK+5.476)) + exp(0.06175*(toK-594.31))) * fall(-0.5143*(toK+4.753))
	open := 0.03*y[rapidX]*fall((v+33)/22.4) + 0.001*fall(7.488-v/5.98) + 0.06*y[slowOutX]*(y[slowOutY]+0.5*y[slowOutR]) +
		0.02*y[fastOutX]*y[fastOutY] + 0.9*inwardOn/(inwardOn+inwardOff)

	// Channels of calcium.
	dEnd := fall(-(v + 14.5) / 6)
	d[calciumD] = (dEnd - y[calciumD]) * 0.035 * (v + 14.5) / (dEnd * (1 - exp(-(v+14.5)/6)))
	square := 0.0337 * (v + 14.5)
	d[calciumF] = (fall((v+35.06)/3.6) + 0.6*fall((50-v)/20) - y[calciumF]) * (0.0197*exp(-square*square) + 0.02)
	d[calciumBoundJ] = 1.7*y[caJ]*(1-y[calciumBoundJ]) - 11.9e-3*y[calciumBoundJ]
	d[calciumBoundS] = 1.7*y[caS]*(1-y[calciumBoundS]) - 11.9e-3*y[calciumBoundS]

	openNa := y[sodiumM] * y[sodiumM] * y[sodiumM] * y[sodiumH] * y[sodiumJ]
	openCa := y[calciumD] * y[calciumF]
	sigma := (exp(outNa/67.3) - 1) / 7
	pumped := 1 / (1 + 0.1245*exp(-0.1*v*perVolt) + 0.0365*sigma*exp(-v*perVolt))
	rest := log((outK+0.01833*outNa)/(y[potassium]+0.01833*y[naC])) / perVolt
	// Rodinia opens the slow channels at the junction as far as the rapid ones.
	j := membrane{0.11, 0.9, y[naJ], y[caJ], y[calciumBoundJ]}.through(v, openNa, openCa, pumped, y[rapidX], rest)
	s := membrane{0.89, 0.1, y[naS], y[caS], y[calciumBoundS]}.through(v, openNa, openCa, pumped, y[delayedX], rest)
	channelK := 0.45 * 2.7e-7 * flow(1, 0.75, y[potassium], outK, v) * openCa * (0.9*(1-y[calciumBoundJ]) + 0.1*(1-y[calciumBoundS]))
	const each = capacity / (inner * 2 * faraday) * 1e3
	d[throughChannels] = -(j.channel + s.channel) * each
	d[throughPumps] = -(j.sarcolemmal + s.sarcolemmal) * each
	d[exchanged] = 2 * (j.exchange + s.exchange) * each
	d[leaked] = -(j.background + s.background) * each

	// The store of calcium: how its doors open, what it takes up and loses.
	k := 15 - 14/(1+pow(0.45/y[caSR], 2.5))
	opens, shuts := 10/k*y[caJ]*y[caJ], 0.5*k*y[caJ]
	idle := 1 - y[releaseReady] - y[releaseOpen] - y[releaseShut]
	toShut, toOpen := shuts*y[releaseReady]-0.005*idle, opens*y[releaseReady]-0.06*y[releaseOpen]
	openShut := shuts*y[releaseOpen] - 0.005*y[releaseShut]
	d[releaseReady] = -toShut - toOpen
	d[releaseOpen] = toOpen - openShut
	d[releaseShut] = openShut - 0.06*y[releaseShut] + opens*idle
	released := 25 * y[releaseOpen] * (y[caSR] - y[caJ])
	forward, back := pow(y[caC]/0.246e-3, 1.787), pow(y[caSR]/1.7, 1.787)
	taken := 2.86e-4 * (forward - back) / (1 + forward + back)
	leak := 5.348e-6 * (y[caSR] - y[caJ])

	// What binds sodium and calcium.
	d[bufferNaJ] = bind(0.1e-3, 1e-3, y[naJ], 7.561, y[bufferNaJ])
	d[bufferNaS] = bind(0.1e-3, 1e-3, y[naS], 1.65, y[bufferNaS])
	d[troponinLow] = bind(32.7, 19.6e-3, y[caC], 70e-3, y[troponinLow])
	d[troponinHigh] = bind(2.37, 0.032e-3, y[caC], 140e-3-y[troponinMg], y[troponinHigh])
	d[troponinMg] = bind(3e-3, 3.33e-3, inMg, 140e-3-y[troponinHigh], y[troponinMg])
	d[myosinCa] = bind(13.8, 0.46e-3, y[caC], 140e-3-y[myosinMg], y[myosinCa])
	d[myosinMg] = bind(0.0157, 0.057e-3, inMg, 140e-3-y[myosinCa], y[myosinMg])
	d[bufferSR] = bind(100, 60e-3, y[caC], 19*0.9e-3, y[bufferSR])
	d[bufferLowJ] = bind(100, 1.3, y[caJ], 4.62e-3*inner/junction*0.1, y[bufferLowJ])
	d[bufferLowS] = bind(100, 1.3, y[caS], 37.38e-3*inner/surface, y[bufferLowS])
	d[bufferHighJ] = bind(100, 30e-3, y[caJ], 1.65e-3*inner/junction*0.1, y[bufferHighJ])
	d[bufferHighS] = bind(100, 30e-3, y[caS], 13.35e-3*inner/surface, y[bufferHighS])
	d[calsequestrin] = bind(100, 65, y[caSR], 2.7, y[calsequestrin])

	d[caSR] = (taken-leak)*(inner/store) - released - d[calsequestrin]
	d[naJ] = -j.na*(capacity/(junction*faraday)) + naJtoS/junction*(y[naS]-y[naJ]) - d[bufferNaJ]
	d[naS] = -s.na*(capacity/(surface*faraday)) + naJtoS/surface*(y[naJ]-y[naS]) + naStoC/surface*(y[naC]-y[naS]) - d[bufferNaS]
	d[naC] = naStoC / inner * (y[naS] - y[naC])
	d[caJ] = -j.ca*(capacity/(junction*2*faraday)) + caJtoS/junction*(y[caS]-y[caJ]) - d[bufferLowJ] - d[bufferHighJ] +
		released*(store/junction) + leak*(inner/junction)
	d[caS] = -s.ca*(capacity/(surface*2*faraday)) + caJtoS/surface*(y[caJ]-y[caS]) + caStoC/surface*(y[caC]-y[caS]) -
		d[bufferLowS] - d[bufferHighS]
	boundC := d[troponinLow] + d[troponinHigh] + d[troponinMg] + d[myosinCa] + d[myosinMg] + d[bufferSR]
	d[caC] = -taken - boundC + caStoC/inner*(y[caS]-y[caC])

	var applied float32
	if float32(math.Mod(float64(t), float64(parameters[0]))) <= 5 {
		applied = 9.5
	}
	chloride := j.chloride + s.chloride + 9e-3*(v-log(float32(inCl/outCl))/perVolt)
	kOut := open*toK + j.slow + s.slow - 2*(j.pump+s.pump) + channelK
	d[voltage] = applied - (j.na + s.na + chloride + j.ca + s.ca + kOut)

	calmodulinRates(d, y, parameters)
	for i, x := range d {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			d[i] = 0.0001
		}
	}
	return d
}
