// Keeps the TLS front of the game server running. The front is a process of its own, because strangers reach it.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./front/main.mjs', import.meta.url))
/** Flags for Node: a front holds at most some buffers of 64 kB for each connection, and those are outside the heap. */
const NODE_FLAGS = ['--max-old-space-size=128', '--max-semi-space-size=2']
/** Milliseconds within which a front must listen when the game server starts. */
const LISTEN_WITHIN_MS = 10_000
/** Milliseconds in which players get the last bytes of a game server that has ended. */
const FINISH_WITHIN_MS = 2_000
/** Milliseconds between two starts of a front that ended by itself, doubled with each start up to the larger number. */
const AGAIN_MS = { least: 500, most: 30_000 }

/** Front of one launch. */
export class KeptFront {
  #planFile
  #child
  #timer
  #stopped = false
  #againMs = AGAIN_MS.least

  /** `planFile` is the path of the file with the ports and the certificate. */
  constructor(planFile) {
    this.#planFile = planFile
  }

  /** Resolves when the front listens on all its ports. Rejects with the reason when it cannot. */
  start() {
    return new Promise((resolve, reject) => {
      let failure = { code: null, message: 'the TLS front ended before it listened' }
      const late = setTimeout(() => {
        failure = { code: null, message: 'the TLS front did not listen in time' }
        this.#child.kill('SIGKILL')
      }, LISTEN_WITHIN_MS)
      const child = this.#begin()
      const over = () => {
        clearTimeout(late)
        reject(Object.assign(new Error(failure.message), { code: failure.code }))
      }
      child.once('exit', over)
      child.on('message', ({ listening, failed }) => {
        if (failed !== undefined) failure = failed
        if (listening !== true) return
        clearTimeout(late)
        child.off('exit', over)
        child.once('exit', () => this.#again())
        resolve()
      })
    })
  }

  /** Ends the front when all players have the last bytes of the game server, or when the time for it is over. */
  async finish() {
    this.#stopped = true
    clearTimeout(this.#timer)
    const child = this.#child
    if (child.connected && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      const late = setTimeout(() => child.kill('SIGKILL'), FINISH_WITHIN_MS)
      child.send('finish', (error) => error && child.kill('SIGKILL'))
      await ended
      clearTimeout(late)
    }
    this.stop()
  }

  /** Ends the front, and frees its ports. */
  stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#child?.kill('SIGKILL')
  }

  #begin() {
    this.#child = fork(PROGRAM, [this.#planFile], {
      execArgv: NODE_FLAGS,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', MATCHYARD_ROLE: 'front' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    // A process that cannot be created also ends with `exit` or with this error.
    this.#child.once('error', (error) => {
      console.error(error)
      if (this.#child.pid === undefined) this.#child.emit('exit', null, null)
    })
    return this.#child
  }

  #again() {
    if (this.#stopped) return
    console.error(`the TLS front ended; it starts again in ${this.#againMs} ms`)
    this.#timer = setTimeout(() => {
      const since = Date.now()
      const child = this.#begin()
      child.on('message', ({ failed }) => failed !== undefined && console.error(`the TLS front: ${failed.message}`))
      child.once('exit', () => {
        if (Date.now() - since > AGAIN_MS.most) this.#againMs = AGAIN_MS.least
        this.#again()
      })
    }, this.#againMs)
    this.#againMs = Math.min(AGAIN_MS.most, this.#againMs * 2)
  }
}
