/** Chance, from a source fit for secrets. */
export interface Random {
  /** Uniform in 0..below-1. */
  int(below: number): number
}
