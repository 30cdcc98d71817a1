// Package s3 gives names as s3://bucket/x-*.npy the file system that Beam has for them. Amazon's SDK finds out where
// that is and who asks, as by AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and by AWS_ENDPOINT_URL
// where it is somebody else's; each worker does.
//
// It is a package of its own, so that programs without such names need not be linked with that SDK. It may import Beam.
package s3

import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // it registers itself
