import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { staticFile } from './static-files'

const CONSOLE = fileURLToPath(new URL('../../../console/', import.meta.url))

export const STATES = ['data', 'empty', 'loading', 'failed'] as const
export type State = (typeof STATES)[number]

export interface View {
  readonly name: string
  readonly path: string
}

/** A web page that shows each view of the console in each state (for example loading or empty), without a service. */
export class Gallery {
  private constructor(
    private readonly server: Server,
    private readonly url: string,
    readonly views: readonly View[],
  ) {}

  /** Builds the page and serves it. */
  static async start(browser: Browser): Promise<Gallery> {
    await build({ configFile: `${CONSOLE}vite.config.ts`, mode: 'gallery', logLevel: 'error' })
    const server = createServer((request, answer) => {
      const path = new URL(request.url ?? '/', 'http://gallery').pathname.replace(/^\/console\/?/, '')
      void staticFile(`${CONSOLE}dist/gallery`, path, 'gallery.html').then(({ status, headers, body }) => {
        answer.writeHead(status, headers).end(body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/console/`
    const page = await browser.newPage()
    await page.goto(url)
    const views = (await page.evaluate('galleryViews')) as readonly View[]
    await page.close()
    return new Gallery(server, url, views)
  }

  /** Shows a view in a state; resolves when the page has drawn the view. */
  async show(page: Page, { name, path }: View, state: State): Promise<void> {
    await page.goto('about:blank')
    await page.goto(`${this.url}?as=${state}${name === 'sign-in' ? '&signed-out' : ''}#${path}`)
    await page.locator('h1').first().waitFor()
    // The page loads views and charts on their first use, so the view is complete when no placeholder is left.
    if (state !== 'loading') await page.locator('.loading').first().waitFor({ state: 'detached' })
    await page.evaluate('new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn), 350))')
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
