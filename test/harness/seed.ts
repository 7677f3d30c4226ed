/**
 * The gate runs the same cases each time, so a failure is caused by the change at hand. Long runs use new cases
 * (MATRICULA_SEED=random), and a failure names the seed that repeats it.
 */
export function seedOfRun(): number {
  const { MATRICULA_SEED = '20241115' } = process.env
  return MATRICULA_SEED === 'random' ? Date.now() % 1_000_000_007 : Number(MATRICULA_SEED)
}
