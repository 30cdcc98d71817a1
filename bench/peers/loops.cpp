// Programs with a loop at the top, as one writes them in C with OpenMP: a parallel loop for each loop whose turns are
// independent, two buffers that change places where a turn needs all of the one before, and no more than that.
//   loops NAME size turns
#include "peer.h"
#include <utility>

static void jacobi(const double *u, double *a, double *b, long w, long turns, double **out) {
  memcpy(a, u, w * w * sizeof *u); memcpy(b, u, w * w * sizeof *u);
  for (long t = 0; t < turns; t++, std::swap(a, b)) {
#pragma omp parallel for
    for (long y = 1; y < w - 1; y++)
      for (long x = 1; x < w - 1; x++) b[y * w + x] = 0.25 * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]);
  }
  *out = a;
}
static void heat(const double *u, double *a, double *b, long n, long turns, double **out) {
  memcpy(a, u, n * n * n * sizeof *u); memcpy(b, u, n * n * n * sizeof *u);
  for (long t = 0; t < turns; t++, std::swap(a, b)) {
#pragma omp parallel for
    for (long z = 1; z < n - 1; z++)
      for (long y = 1; y < n - 1; y++)
        for (long x = 1; x < n - 1; x++) {
          long c = (z * n + y) * n + x;
          b[c] = a[c] + 0.1 * (a[c - 1] + a[c + 1] + a[c - n] + a[c + n] + a[c - n * n] + a[c + n * n] - 6 * a[c]);
        }
  }
  *out = a;
}
// Conjugate gradients for the five-point Laplacian of a grid of side w, as a sparse matrix, from x = 0.
static void cg(const double *v, const int *col, const int *ptr, const double *b, double *x, double *r, double *p, double *q, long n, long turns) {
  double rr = 0;
#pragma omp parallel for reduction(+ : rr)
  for (long i = 0; i < n; i++) { x[i] = 0; r[i] = p[i] = b[i]; rr += b[i] * b[i]; }
  for (long t = 0; t < turns; t++) {
    double pq = 0, next = 0;
#pragma omp parallel for reduction(+ : pq)
    for (long i = 0; i < n; i++) {
      double s = 0;
      for (int k = ptr[i]; k < ptr[i + 1]; k++) s += v[k] * p[col[k]];
      q[i] = s; pq += p[i] * s;
    }
    double alpha = rr / pq;
#pragma omp parallel for reduction(+ : next)
    for (long i = 0; i < n; i++) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; next += r[i] * r[i]; }
    double beta = next / rr;
    rr = next;
#pragma omp parallel for
    for (long i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
  }
}
// The ranks of pages until they change by no more than eps in all.
static long pagerank(const int *links, const int *ptr, const int *out, double *rank, double *next, double *share, long n, double eps, double **res) {
  for (long i = 0; i < n; i++) rank[i] = 1.0 / n;
  long turns = 0;
  for (double change = 1; change > eps && turns < 200; turns++, std::swap(rank, next)) {
    change = 0;
#pragma omp parallel for
    for (long i = 0; i < n; i++) share[i] = rank[i] / std::max(out[i], 1);
#pragma omp parallel for reduction(+ : change)
    for (long i = 0; i < n; i++) {
      double s = 0;
      for (int k = ptr[i]; k < ptr[i + 1]; k++) s += share[links[k]];
      next[i] = 0.15 / n + 0.85 * s; change += fabs(next[i] - rank[i]);
    }
  }
  *res = rank;
  return turns;
}
static void lu(const double *m, double *a, long n) {
  memcpy(a, m, n * n * sizeof *m);
  for (long k = 0; k < n; k++)
#pragma omp parallel for
    for (long i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (long j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}
static void floyd(const float *w, float *d, long n) {
  memcpy(d, w, n * n * sizeof *w);
  for (long k = 0; k < n; k++)
#pragma omp parallel for
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++) {
        float t = d[i * n + k] + d[k * n + j];
        if (t < d[i * n + j]) d[i * n + j] = t;
      }
}
// The frontier is a list: nodes that are reached first by this step are claimed, and their places counted, atomically.
static void bfs(const int *ptr, const int *edges, int *level, int *front, int *next, long n, int source) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) level[i] = -1;
  level[source] = 0; front[0] = source;
  long size = 1;
  for (int depth = 1; size > 0; depth++) {
    long found = 0;
#pragma omp parallel for schedule(dynamic, 64)
    for (long f = 0; f < size; f++)
      for (int e = ptr[front[f]]; e < ptr[front[f] + 1]; e++) {
        int v = edges[e], none = -1;
        if (__atomic_load_n(&level[v], __ATOMIC_RELAXED) < 0 && __atomic_compare_exchange_n(&level[v], &none, depth, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
          next[__atomic_fetch_add(&found, 1, __ATOMIC_RELAXED)] = v;
      }
    size = found; std::swap(front, next);
  }
}
static void life(const int *u, int *a, int *b, long w, long turns, int **out) {
  memcpy(a, u, w * w * sizeof *u);
  for (long t = 0; t < turns; t++, std::swap(a, b)) {
#pragma omp parallel for
    for (long y = 0; y < w; y++) {
      const int *up = a + (y + w - 1) % w * w, *row = a + y * w, *down = a + (y + 1) % w * w;
      for (long x = 0; x < w; x++) {
        long l = x ? x - 1 : w - 1, r = x < w - 1 ? x + 1 : 0;
        int s = up[l] + up[x] + up[r] + row[l] + row[r] + down[l] + down[x] + down[r];
        b[y * w + x] = s == 3 || (s == 2 && row[x]);
      }
    }
  }
  *out = a;
}
// One bit after the other: each thread counts the zeros of its part, and then moves its keys behind those of others.
static void radix(const int *in, int *a, int *b, long n, long bits, int **out) {
  memcpy(a, in, n * sizeof *in);
  std::vector<long> zeros(omp_get_max_threads() + 1);
  for (long bit = 0; bit < bits; bit++, std::swap(a, b)) {
#pragma omp parallel firstprivate(a, b)
    {
      long T = omp_get_num_threads(), t = omp_get_thread_num(), lo = n * t / T, hi = n * (t + 1) / T, z = 0;
      for (long i = lo; i < hi; i++) z += !(a[i] >> bit & 1);
      zeros[t + 1] = z;
#pragma omp barrier
      long before = 0, all = 0;
      for (long k = 1; k <= T; k++) { if (k <= t) before += zeros[k]; all += zeros[k]; }
      long zero = before, one = all + lo - before;
      for (long i = lo; i < hi; i++) { if (a[i] >> bit & 1) b[one++] = a[i]; else b[zero++] = a[i]; }
    }
  }
  *out = a;
}

// Each node has so many edges on average, to any nodes; drawn node by node.
static void graph(long nodes, long degree, std::vector<int> &ptr, std::vector<int> &to) {
  Lcg r(141);
  ptr.assign(1, 0);
  for (long u = 0; u < nodes; u++) {
    for (long k = long(r() * (2 * degree + 1)); k > 0; k--) to.push_back(int(r() * nodes));
    ptr.push_back(int(to.size()));
  }
}

int main(int argc, char **argv) {
  std::string name = argc > 1 ? argv[1] : "jacobi";
  long n = arg(argc, argv, 2, 512), turns = arg(argc, argv, 3, 10);
  Bench b{"loop_" + name, fmt("\"size\":%ld,\"turns\":%ld", n, turns)};
  if (name == "jacobi" || name == "heat") {
    long cells = name == "jacobi" ? n * n : n * n * n;
    Buf<double> u(cells), x(cells), y(cells); double *out = x;
    fill(u.p, cells, 142);
    b("omp", [&] { name == "jacobi" ? jacobi(u, x, y, n, turns, &out) : heat(u, x, y, n, turns, &out); }, [&] { return csum(out, cells); });
  } else if (name == "cg") {
    long rows = n * n;
    std::vector<double> v; std::vector<int> col, ptr{0};
    for (long i = 0; i < rows; i++) {
      auto add = [&](long j, double x) { col.push_back(int(j)); v.push_back(x); };
      if (i >= n) add(i - n, -1);
      if (i % n) add(i - 1, -1);
      add(i, 4.5);
      if (i % n < n - 1) add(i + 1, -1);
      if (i + n < rows) add(i + n, -1);
      ptr.push_back(int(col.size()));
    }
    Buf<double> rhs(rows), x(rows), r(rows), p(rows), q(rows);
    fill(rhs.p, rows, 143);
    b("omp", [&] { cg(v.data(), col.data(), ptr.data(), rhs, x, r, p, q, rows, turns); }, [&] { return csum(x.p, rows); });
  } else if (name == "pagerank" || name == "bfs") {
    std::vector<int> ptr, to; graph(n, 8, ptr, to);
    if (name == "bfs") {
      std::vector<int> level(n), f(n), g(n);
      b("omp", [&] { bfs(ptr.data(), to.data(), level.data(), f.data(), g.data(), n, 0); }, [&] { return csum(level.data(), n); });
    } else {
      std::vector<int> out(n); for (int e : to) out[e]++;
      Buf<double> x(n), y(n), s(n); double *res = x;
      b("omp", [&] { pagerank(to.data(), ptr.data(), out.data(), x, y, s, n, 1e-6, &res); }, [&] { return csum(res, n); });
    }
  } else if (name == "lu") {
    Buf<double> m(n * n), a(n * n); fill(m.p, n * n, 144);
    for (long i = 0; i < n; i++) m[i * n + i] += n;
    b("omp", [&] { lu(m, a, n); }, [&] { return csum(a.p, n * n); });
  } else if (name == "floyd") {
    Buf<float> w(n * n), d(n * n); fill(w.p, n * n, 145, 1, 100);
    b("omp", [&] { floyd(w, d, n); }, [&] { return csum(d.p, n * n); });
  } else if (name == "life") {
    Buf<int> u(n * n), x(n * n), y(n * n); int *out = x;
    Lcg r(146); for (long i = 0; i < n * n; i++) u[i] = r() < 0.3;
    b("omp", [&] { life(u, x, y, n, turns, &out); }, [&] { return csum(out, n * n); });
  } else if (name == "radix") {
    Buf<int> u(n), x(n), y(n); int *out = x;
    Lcg r(147); for (long i = 0; i < n; i++) u[i] = int(r() * (1L << turns));
    b("omp", [&] { radix(u, x, y, n, turns, &out); }, [&] { return csum(out, n); });
  } else { fprintf(stderr, "no program %s\n", name.c_str()); return 1; }
}
