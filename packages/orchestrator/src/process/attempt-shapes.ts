import { READINESS } from '@matchyard/core'
import type {
  Claim,
  ExitStatus,
  FrontPlan,
  LaunchPlan,
  LaunchRecord,
  StartedStatus,
  StartFailure,
} from './attempt-records'
import type { ProcessIdentity } from './proc'

/** The files of an attempt, by name, with the type of their content. */
export interface Files {
  'plan.json': LaunchPlan
  'record.json': LaunchRecord
  'claim.json': Claim
  'front.json': FrontPlan
  'status.json': StartedStatus
  'exit.json': ExitStatus
  'failed.json': StartFailure
  'stop.json': { readonly graceMs: number }
  'ready.json': { readonly at: number }
}

type Fields = Readonly<Partial<Record<string, unknown>>>

const LAST_PORT = 65_535

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || isText(value)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const isPort = (value: unknown): boolean => isCount(value) && Number(value) <= LAST_PORT
const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne)

const isAmount = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0
const isSize = (value: unknown): boolean => isObject(value) && isAmount(value.cpus) && isAmount(value.memoryGib)

const isRecordedPort = (one: unknown): boolean => isObject(one) && isText(one.host) && isPort(one.port)

const isFrontPort = (one: unknown): boolean => isObject(one) && isPort(one.port) && isPort(one.inner)

/** The process id must be at least 2: a signal to a lower number would reach all processes or init. */
const isIdentity = (value: unknown): value is ProcessIdentity =>
  isObject(value) &&
  Number.isSafeInteger(value.pid) &&
  Number(value.pid) > 1 &&
  isTextOrNull(value.bootId) &&
  isTextOrNull(value.startTime)

const SHAPES: { readonly [N in keyof Files]: (value: Fields) => boolean } = {
  'plan.json': (plan) => isText(plan.command) && isListOf(plan.args, isText) && isObject(plan.env),
  'record.json': (record) =>
    isText(record.buildId) &&
    isListOf(record.cgroups, isText) &&
    isListOf(record.tcpPorts, isRecordedPort) &&
    (record.udpPorts === undefined || isListOf(record.udpPorts, isRecordedPort)) &&
    (record.readiness === undefined || READINESS.some((one) => one === record.readiness)) &&
    (record.tierSize === undefined || isSize(record.tierSize)),
  'claim.json': (claim) => claim.closed === true || isIdentity(claim),
  'status.json': (status) =>
    isCount(status.at) && isIdentity(status.main) && (status.inner === null || isIdentity(status.inner)),
  'exit.json': (exit) =>
    isCount(exit.at) &&
    (exit.code === null || Number.isSafeInteger(exit.code)) &&
    isTextOrNull(exit.signal) &&
    (exit.reason === undefined || isText(exit.reason)),
  'front.json': (front) => isListOf(front.ports, isFrontPort) && isObject(front.certificate),
  'failed.json': (failure) => isTextOrNull(failure.code) && isText(failure.message),
  'stop.json': (stop) => isCount(stop.graceMs),
  'ready.json': (ready) => isCount(ready.at),
}

/** Returns the content of a file; `damaged` when the text is not valid JSON or has wrong fields. */
export function parsed<N extends keyof Files>(name: N, text: string): Files[N] | 'damaged' {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && SHAPES[name](value) ? (value as unknown as Files[N]) : 'damaged'
  } catch {
    return 'damaged'
  }
}
