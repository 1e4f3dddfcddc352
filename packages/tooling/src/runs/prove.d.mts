import type { Run } from './registered.mjs'

export const PROOFS: Readonly<Record<string, Run>>
