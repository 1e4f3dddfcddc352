import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { afterAll, beforeAll, type TestContext } from 'vitest'
import { skipWithout } from '../needs'
import { runCommand, ServiceProcess } from '../service-process'
import { type ConsoleAccount, ConsoleBrowser, type ConsoleWindow, type WindowOptions } from './console-browser'

/** A real `matchyard dev` and a real browser for tests of the console. */
export interface ConsoleUnderTest {
  readonly service: ServiceProcess
  /** Opens a window that is signed in and shows the demo project; skips the test when there is no browser. */
  signedIn(context: Pick<TestContext, 'skip'>, options?: WindowOptions): Promise<ConsoleWindow>
  /** Opens an empty window; skips the test when there is no browser. */
  open(context: Pick<TestContext, 'skip'>, options?: WindowOptions): Promise<ConsoleWindow>
  /** Creates an account of an operator, by the command of operators beside the running service; skips the test when there is no browser. */
  operator(context: Pick<TestContext, 'skip'>): Promise<ConsoleAccount>
  /** Kills the service and starts it again on the same port and data. */
  restart(): Promise<void>
}

const NO_BROWSER = ['a browser', 'no Chromium on the path'] as const

/** Starts a service and a browser before the tests of a file and stops them after the tests. */
export function consoleUnderTest(): ConsoleUnderTest {
  let directory = ''
  let port = 0
  let service: ServiceProcess | undefined
  let browser: ConsoleBrowser | undefined
  beforeAll(async () => {
    browser = await ConsoleBrowser.start()
    if (browser === undefined) return
    directory = mkdtempSync(join(tmpdir(), 'matchyard-console-'))
    port = await freePort()
    service = await ServiceProcess.start(directory, port)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await service?.end('SIGINT')
    if (directory !== '') await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }, 120_000)
  const running = (): ServiceProcess => {
    if (service === undefined) throw new Error('the service was not started')
    return service
  }
  const open: ConsoleUnderTest['open'] = async (context, options) => {
    if (browser === undefined) return skipWithout(context, ...NO_BROWSER)
    return browser.open(running().credentials, options)
  }
  return {
    get service() {
      return running()
    },
    open,
    async signedIn(context, options) {
      const window = await open(context, options)
      await window.signIn()
      return window
    },
    async operator(context) {
      if (browser === undefined) return skipWithout(context, ...NO_BROWSER)
      const args = ['accounts', 'create', '--email', 'boss@studio.example', '--operator', '--json']
      const { email, password } = JSON.parse(await runCommand(args, directory)) as ConsoleAccount
      return { email, password }
    },
    async restart() {
      await running().end('SIGKILL')
      service = await ServiceProcess.start(directory, port)
    },
  }
}
