import type { Run } from './registered.mjs'

export const BENCHES: Readonly<Record<string, Run>>
