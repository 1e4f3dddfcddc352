import type { CallOptions } from '@matchyard/core'

/** Options of the changes that commands make, so that the audit log names an operator as their author. */
export const BY_OPERATOR: CallOptions = { actor: { kind: 'operator' } }
