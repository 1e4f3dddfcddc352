import type { Instant, Readiness, TierSize } from '@matchyard/core'
import type { Certificate } from '../kit/certificate'
import type { ProcessIdentity } from './proc'

/** Instructions for the supervisor of a launch; file `plan.json`. */
export interface LaunchPlan {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly sandboxed: boolean
  /**
   * Whether the server gets further variables. The supervisor receives them from the service by a pipe, because they may be secret and this
   * file is on the disk. Absent: no.
   */
  readonly hasEnvironment?: boolean
  /** Whether a TLS front stands before the server; its plan is the file `front.json`. Absent: no. */
  readonly hasFront?: boolean
  readonly cgroups: readonly string[]
  readonly logBytes: number
}

/** Record of the launch, which the service writes before it starts any process; file `record.json`. */
export interface LaunchRecord {
  readonly instanceId: string
  readonly attempt: number
  readonly buildId: string
  readonly bootId: string | null
  readonly createdAt: Instant
  /** Rule of the readiness check. Absent in records of an earlier release: then the owners of ports are not checked. */
  readonly readiness?: Readiness
  readonly tcpPorts: readonly RecordedPort[]
  readonly udpPorts?: readonly RecordedPort[]
  readonly cgroups: readonly string[]
  /** Size of the server that counts towards the limits of the node. Absent in records of an earlier release. */
  readonly tierSize?: TierSize
}

export interface RecordedPort {
  /** Address to which players connect; a loopback address for a port behind a TLS front. */
  readonly host: string
  readonly port: number
  readonly variable?: string
  /** Whether players reach the port through the TLS front. Absent: no. */
  readonly behindFront?: boolean
}

/**
 * The supervisor that may launch the server; written once, to the file `claim.json`. `closed`: no process launched the
 * server, and no process may.
 */
export type Claim = ProcessIdentity | { readonly closed: true }

/** Content of `status.json`: the supervisor's direct child, and process 1 of its sandbox. */
export interface StartedStatus {
  readonly at: Instant
  readonly main: ProcessIdentity
  readonly inner: ProcessIdentity | null
}

/** Content of `exit.json`. */
export interface ExitStatus {
  readonly code: number | null
  readonly signal: string | null
  readonly reason?: string
  readonly at: Instant
}

/** Instructions for the TLS front of a launch; file `front.json`. The front ends when the file is removed. */
export interface FrontPlan {
  /** Ports with TLS: the external port, and the port of this machine on which the game server listens. */
  readonly ports: readonly { readonly port: number; readonly inner: number }[]
  readonly certificate: Certificate
}

/** Content of `failed.json`, which is written when the process could not be created. */
export interface StartFailure {
  /** Part of the launch that could not be started. Absent in files of an earlier release: the server. */
  readonly part?: 'server' | 'front'
  readonly code: string | null
  readonly message: string
}
