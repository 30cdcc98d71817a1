package opencl

import ("testing";"time"
"github.com/surge-ndp/surge/ops/fuse"
"github.com/surge-ndp/surge/policy"
"github.com/surge-ndp/surge/codegen/goroutine")

func TestZZ(t *testing.T){
 l:=func(k string, ops ...string) fuse.Level { return fuse.Level{Ops:ops,Kinds:[]string{k,"int32"}} }
 for _,k:=range []string{"float64","float32"} {
 for _,seq:=range []fuse.Sequence{{l(k,"map"),l(k,"reduce")},{l(k,"reduce")},{l(k,"scan")},{l(k,"map")},{l(k,"map"),l(k,"map"),l(k,"reduce")},{l(k,"map"),l(k,"scan")}} {
  for _,p:=range []*policy.Platform{goroutine.Platform,Platform}{
  for _,c:=range []int{2,64} {
  st:=time.Now()
  sp:=policy.Enumerate("K.1","nest",seq,p,policy.Machine{Cores:c,Lanes:map[int][]int{4:{4,8,16},8:{4,8}}},nil)
  t.Log(k,seq,p.Name,c,"product",sp.Product,"distinct",sp.Distinct,"valid",sp.Size(),len(sp.Valid()),"codes",len(sp.Codes()),time.Since(st))
  if c==2&&seq.String()=="map ▷ reduce" && k=="float64" { for _,s:=range sp.Schedules{t.Log("   ",s.Schedule,s.Product,s.Distinct,s.Valid)}; for _,x:=range sp.Pruned{t.Log("   ",x.Constraint,x.Count,x.Reason,x.Example)}}
 }}}}
}
