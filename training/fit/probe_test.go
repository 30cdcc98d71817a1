package fit
import ("testing"; _ "github.com/sjwhitworth/golearn/linear_models"; _ "github.com/sjwhitworth/golearn/trees"; _ "github.com/sjwhitworth/golearn/evaluation"; _ "gonum.org/v1/gonum/mat")
func TestX(t *testing.T){}
