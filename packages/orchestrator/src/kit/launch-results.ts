import type { PortMapping } from '@matchyard/core'
import type { LaunchResult } from '@matchyard/core/ports'

export const OK: LaunchResult = { ok: true }

/** Returns the result of a launch that does not fit into the node's limits now. It does not count as an attempt. */
export const noRoom = (message: string): LaunchResult => ({ ok: false, reason: 'no_room', message })

/**
 * Returns the result when a machine that the launch needs is unreachable. The same attempt is launched again later, and
 * this result does not count as a failure.
 */
export const away = (message: string): LaunchResult => ({ ok: false, reason: 'away', message })

/** Returns the result when this machine cannot start servers now; another machine may. */
export const machineFault = (message: string): LaunchResult => ({ ok: false, reason: 'machine', message })

/** Returns the result when another attempt may succeed. */
export const retry = (message: string): LaunchResult => ({ ok: false, reason: 'retry', message })

/** Returns the result when all further attempts would fail in the same way. */
export const final = (message: string): LaunchResult => ({ ok: false, reason: 'final', message })

/** Returns the result when the same attempt may succeed with other ports. */
export const addressInUse = (message: string): LaunchResult => ({ ok: false, reason: 'address_in_use', message })

export const portInUse = ({ name, protocol, externalPort }: PortMapping): LaunchResult =>
  addressInUse(`${protocol} port ${externalPort} ("${name}") is in use`)
