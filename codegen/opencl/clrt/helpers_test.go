package clrt

import "unsafe"

func pointer(s []int32) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

func setHandle(d *Device, kernel, value handle) status {
	return d.lib.setArg(kernel, 0, 8, unsafe.Pointer(&value))
}
