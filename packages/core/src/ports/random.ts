/** Random numbers from a cryptographic source. */
export interface Random {
  /** Returns a whole number from 0 to `below` - 1, uniformly distributed. */
  int(below: number): number
}
