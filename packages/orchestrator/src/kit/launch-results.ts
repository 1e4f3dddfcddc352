import type { PortMapping } from '@matchyard/core'
import type { LaunchResult } from '@matchyard/core/ports'

export const OK: LaunchResult = { ok: true }

/** It may be launched once others have ended; this was no attempt. */
export const noRoom = (message: string): LaunchResult => ({ ok: false, reason: 'no_room', message })

/** What it needs is on a machine that does not answer now: the same attempt is launched again, and nothing was counted. */
export const away = (message: string): LaunchResult => ({ ok: false, reason: 'away', message })

/** Another attempt may do better. */
export const retry = (message: string): LaunchResult => ({ ok: false, reason: 'retry', message })

/** Another attempt would meet the same. */
export const final = (message: string): LaunchResult => ({ ok: false, reason: 'final', message })

/** The same attempt may do better with other ports. */
export const addressInUse = (message: string): LaunchResult => ({ ok: false, reason: 'address_in_use', message })

export const portInUse = ({ name, protocol, externalPort }: PortMapping): LaunchResult =>
  addressInUse(`${protocol} port ${externalPort} ("${name}") is in use`)
