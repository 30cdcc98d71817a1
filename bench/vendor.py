# Times of libraries for a GPU, by way of PyTorch: cuSPARSE, cuBLAS, CUB and PyTorch's own kernels. Reads the cases as JSON
# and prints a line of JSON for each that a library has. What the libraries find is not compared with ours: plain Go is.
# Written without a GPU at hand: what it does beyond saying that there is none is untried.
import json
import statistics
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("no times of libraries: python3 has no torch")
if not torch.cuda.is_available():
    sys.exit("no times of libraries: torch finds no GPU")


def argument(a):
    kind = getattr(torch, a["type"], None)
    if not a["shape"]:
        return a["value"] if a["type"].startswith("float") else int(a["value"])
    if a.get("indices"):
        with open(a["indices"], "rb") as f:
            return torch.frombuffer(bytearray(f.read()), dtype=kind).cuda()
    return torch.rand(a["shape"], dtype=kind, device="cuda")


def scale(x, a):
    y = torch.empty_like(x)
    return "PyTorch", lambda: torch.mul(x, a, out=y)


def add_up(x, *_):
    return "PyTorch", lambda: torch.sum(x)


def scan(x, *_):
    y = torch.empty_like(x)
    return "CUB (PyTorch)", lambda: torch.cumsum(x, 0, out=y)


def rows(m):
    return "PyTorch", lambda: torch.sum(m, 1)


def columns(m, width):
    m = m.view(-1, width)
    return "PyTorch", lambda: torch.sum(m, 0)


def product(a, b, k, n):
    a, b = a.view(-1, k), b.view(k, n)
    c = torch.empty(a.shape[0], n, dtype=a.dtype, device="cuda")
    return "cuBLAS", lambda: torch.mm(a, b, out=c)


def sparse(values, columns, offsets, x):
    m = torch.sparse_csr_tensor(offsets, columns, values, size=(len(offsets) - 1, len(x)))
    return "cuSPARSE", lambda: m.mv(x)


def kmeans(points, d, centroids):
    p, c = points.view(-1, d), centroids.view(-1, d)
    ones = torch.ones(len(p), dtype=p.dtype, device="cuda")

    def step():
        near = ((c * c).sum(1) - 2 * (p @ c.T)).min(1)
        sums = torch.zeros_like(c).index_add_(0, near.indices, p)
        counts = torch.zeros(len(c), dtype=p.dtype, device="cuda").index_add_(0, near.indices, ones)
        return sums / counts[:, None], (p * p).sum() + near.values.sum()

    return "cuBLAS and PyTorch", step


kernels = {"Scale": scale, "Sum": add_up, "Reduction": add_up, "PrefixSums": scan, "Scan": scan, "SumRows": rows, "SumCols": columns,
           "MatMul": product, "SpMV": sparse, "Step": kmeans}
torch.backends.cuda.matmul.allow_tf32 = False  # single precision is compared with single precision


def microseconds(run):
    for _ in range(3):
        run()
    times = []
    for _ in range(15):  # by the host's clock, launch and wait included, as ours are
        torch.cuda.synchronize()
        begin = time.perf_counter()
        run()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - begin) * 1e6)
    return statistics.median(times)


for case in json.load(sys.stdin):
    make = kernels.get(case["kernel"])
    if make is None:
        continue
    try:
        library, run = make(*[argument(a) for a in case["arguments"]])
        print(json.dumps({"name": case["name"], "library": library, "microseconds": microseconds(run)}), flush=True)
    except Exception as e:  # one that the library refuses does not take the others along
        print(f'{case["name"]}: {e}', file=sys.stderr)
