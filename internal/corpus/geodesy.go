// Geodesy

package corpus

import "math"

const earthA, earthF = 6378137.0, 1 / 298.257223563

// LatLon is a place, in degrees.
type LatLon struct{ Lat, Lon float64 }

func radians(deg float64) float64 { return deg * math.Pi / 180 }

// ecef returns cartesian coordinates.
func (p LatLon) ecef(height float64) (x, y, z float64) {
	e2 := earthF * (2 - earthF)
	sinLat, cosLat := math.Sincos(radians(p.Lat))
	sinLon, cosLon := math.Sincos(radians(p.Lon))
	n := earthA / math.Sqrt(1-e2*sinLat*sinLat)
	return (n + height) * cosLat * cosLon, (n + height) * cosLat * sinLon, (n*(1-e2) + height) * sinLat
}

// Vincenty returns the lengths of the legs of a track on the ellipsoid, -1 where the iteration does not converge.
//
//surge:kernel
func Vincenty(track []LatLon) []float64 {
	if len(track) < 2 {
		return nil
	}
	const b = earthA * (1 - earthF)
	legs := make([]float64, len(track)-1)
	for i := range legs {
		p, q := track[i], track[i+1]
		u1 := math.Atan((1 - earthF) * math.Tan(radians(p.Lat)))
		u2 := math.Atan((1 - earthF) * math.Tan(radians(q.Lat)))
		l := radians(q.Lon - p.Lon)
		lambda := l
		legs[i] = -1
		sinU1, cosU1 := math.Sincos(u1)
		sinU2, cosU2 := math.Sincos(u2)
		for range 100 {
			sinL, cosL := math.Sincos(lambda)
			sinSigma := math.Hypot(cosU2*sinL, cosU1*sinU2-sinU1*cosU2*cosL)
			if sinSigma == 0 {
				legs[i] = 0
				break
			}
			cosSigma := sinU1*sinU2 + cosU1*cosU2*cosL
			sigma := math.Atan2(sinSigma, cosSigma)
			sinAlpha := cosU1 * cosU2 * sinL / sinSigma
			cos2 := 1 - sinAlpha*sinAlpha
			cosM := 0.0
			if cos2 != 0 {
				cosM = cosSigma - 2*sinU1*sinU2/cos2
			}
			c := earthF / 16 * cos2 * (4 + earthF*(4-3*cos2))
			last := lambda
			lambda = l + (1-c)*earthF*sinAlpha*(sigma+c*sinSigma*(cosM+c*cosSigma*(-1+2*cosM*cosM)))
			if math.Abs(lambda-last) > 1e-12 {
				continue
			}
			u := cos2 * (earthA*earthA - b*b) / (b * b)
			big := 1 + u/16384*(4096+u*(-768+u*(320-175*u)))
			small := u / 1024 * (256 + u*(-128+u*(74-47*u)))
			delta := small * sinSigma * (cosM + small/4*(cosSigma*(-1+2*cosM*cosM)-small/6*cosM*(-3+4*sinSigma*sinSigma)*(-3+4*cosM*cosM)))
			legs[i] = b * big * (sigma - delta)
			break
		}
	}
	return legs
}

// Chords returns straight distances of the places from a station, and the farthest one.
//
//surge:kernel
func Chords(places []LatLon, heights []float64, station LatLon) (dist []float64, farthest int) {
	sx, sy, sz := station.ecef(0)
	dist = make([]float64, len(places))
	farthest = -1
	for i, p := range places {
		x, y, z := p.ecef(heights[i])
		x, y, z = x-sx, y-sy, z-sz
		dist[i] = math.Sqrt(x*x + y*y + z*z)
		if farthest < 0 || dist[i] > dist[farthest] {
			farthest = i
		}
	}
	return dist, farthest
}
