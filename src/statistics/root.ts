/** Where f, positive at low and not so at high, passes 0: false position, by halves where one end stays (the Illinois method). */
export function rootOf(f: (x: number) => number, low: number, high: number): number {
  let [a, b] = [low, high];
  let [fa, fb] = [f(a), f(b)];
  for (let side = 0; b - a > precision; ) {
    const x = (fa * b - fb * a) / (fa - fb);
    // Rounding may lead to an end, and would go on from there for ever.
    if (x <= a || x >= b) return x;
    const fx = f(x);
    if (Math.abs(fx) < 1e-9) return x;
    if (fx > 0) {
      [a, fa] = [x, fx];
      if (side > 0) fb /= 2;
      side = 1;
    } else {
      [b, fb] = [x, fx];
      if (side < 0) fa /= 2;
      side = -1;
    }
  }
  return (a + b) / 2;
}

const precision = 1e-10;
