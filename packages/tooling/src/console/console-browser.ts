import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { consoleFiles } from '@matchyard/console'
import type { Browser, Page } from 'playwright-core'
import { findBrowser, startBrowser } from '../browser'
import type { DevCredentials } from '../service-process'
import { seriousFaults } from './axe'

const FILES = fileURLToPath(consoleFiles)
export const PATIENCE = { timeout: 60_000 }

/** Account that signs in by e-mail and password. */
export type ConsoleAccount = Pick<DevCredentials, 'email' | 'password'>

export interface WindowOptions {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  /** Account that signs in; the default is the account of the demo project. */
  readonly account?: ConsoleAccount
}

/** A real browser that opens the console of a running service. */
export class ConsoleBrowser {
  private constructor(private readonly browser: Browser) {}

  /**
   * Starts a browser. Returns undefined when this machine has no browser; the test is then skipped with
   * `skipWithout(context, 'a browser', …)`.
   */
  static async start(): Promise<ConsoleBrowser | undefined> {
    const program = findBrowser()
    if (program === undefined) return undefined
    if (!existsSync(FILES)) throw new Error('the console is not built; run npm run build first')
    return new ConsoleBrowser(await startBrowser(program))
  }

  /** Opens a window in a separate browser context, without stored data of other windows. */
  async open(credentials: DevCredentials, options: WindowOptions = {}): Promise<ConsoleWindow> {
    const { width = 1280, height = 800, theme = 'light', account } = options
    const context = await this.browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
    })
    return new ConsoleWindow(await context.newPage(), { ...credentials, ...account })
  }

  async close(): Promise<void> {
    await this.browser.close()
  }
}

/** A window of the browser that shows the console. */
export class ConsoleWindow {
  /** Texts of exceptions and console errors of the page; there must be none. */
  readonly wrong: string[] = []

  constructor(
    readonly page: Page,
    private readonly credentials: DevCredentials,
  ) {
    page.on('pageerror', (error) => this.wrong.push(String(error.stack)))
    page.on('console', (message) => {
      // Browsers report each refused HTTP call as a console error. The page itself shows the refusal, so these errors
      // do not count.
      const isRefusal = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isRefusal) this.wrong.push(message.text())
    })
  }

  /** Signs in by e-mail and password; resolves when the page shows the first view. */
  async signIn(): Promise<void> {
    const { page, credentials } = this
    await page.goto(`${credentials.base_url}/console/`)
    await page.getByLabel('E-mail').fill(credentials.email, PATIENCE)
    await page.getByLabel('Password').fill(credentials.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor(PATIENCE)
  }

  /**
   * Signs in by the link that the service printed at its start, which works once; resolves when the page shows the
   * first view.
   */
  async signInBy(link: string): Promise<void> {
    await this.page.goto(link)
    await this.page.getByRole('heading', { level: 1, name: 'Now' }).waitFor(PATIENCE)
  }

  /** Opens a view by its path after `#`, for example `/lobbies`. */
  async go(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      ;(globalThis as unknown as { location: { hash: string } }).location.hash = `#${to}`
    }, path)
  }

  /** Returns the serious and critical findings of `axe` as sentences; empty for an accessible view. */
  faults(): Promise<readonly string[]> {
    return seriousFaults(this.page)
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}
