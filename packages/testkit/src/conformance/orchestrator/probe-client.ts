import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject, PortMapping } from '@matchyard/core'

const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 25
const ANSWER_MS = 300

/** The answer of the probe (the game server of the suite) to the command that asks for its state. */
export interface ProbeReport {
  readonly startId: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly directory: string
  readonly config: string
  readonly files: { readonly beside: string }
  readonly configWritable: boolean
  readonly homeWritable: boolean
}

/**
 * Calls `look` until it returns a result, and returns that result. After the timeout the function rejects with an error
 * that names the awaited condition, `what`.
 */
export async function eventually<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  let last: unknown
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(LOOK_EVERY_MS)) {
    try {
      const found = await look()
      if (found !== undefined && found !== false) return found
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error // a failed assertion never passes later
      last = error
    }
  }
  assert.fail(`waited in vain until ${what}${last === undefined ? '' : `: ${String(last)}`}`)
}

/**
 * Sends the probe (the game server of the suite) one command over TCP and returns the probe's answer; undefined when
 * the probe ended without an answer.
 */
export function tell<T = unknown>(port: PortMapping, command: JsonObject): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: port.host, port: port.externalPort })
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.once('connect', () => socket.write(`${JSON.stringify(command)}\n`))
    socket.once('end', () => {
      try {
        resolve(text === '' ? undefined : (JSON.parse(text) as T))
      } catch (error) {
        reject(error) // an answer that is not from the probe
      }
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(undefined) : reject(error),
    )
  })
}

/** Whether no process listens on the port any more. */
export const refuses = (port: PortMapping): Promise<boolean> =>
  tell(port, { do: 'report' }).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  )

export async function reportOf(port: PortMapping): Promise<ProbeReport> {
  const report = await eventually('the probe answers', () => tell<ProbeReport>(port, { do: 'report' }))
  return report
}

/** Whether the probe returns a datagram. The function sends several datagrams, because some may be lost. */
export async function echoes(port: PortMapping, tries = 20): Promise<boolean> {
  const socket = createSocket('udp4')
  const text = `ping ${Math.random()}`
  try {
    const answered = new Promise<true>((resolve) => {
      socket.on('message', (message) => message.toString() === text && resolve(true))
    })
    socket.on('error', () => {})
    for (let i = 0; i < tries; i++) {
      socket.send(text, port.externalPort, port.host)
      if (await Promise.race([answered, pause(ANSWER_MS, false)])) return true
    }
    return false
  } finally {
    socket.close()
  }
}
