import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startInProcess } from './harness/in-process'

/** As much of a page as the script uses; text is what a reader sees. */
class FakeElement {
  readonly children: (FakeElement | string)[] = []
  textContent = ''
  readonly dataset = { url: './openapi.json' }

  constructor(readonly name: string) {}

  append(...children: (FakeElement | string)[]): void {
    this.children.push(...children)
  }

  get text(): string {
    return [this.textContent, ...this.children.map((child) => (typeof child === 'string' ? child : child.text))].join(
      '\n',
    )
  }
}

test('the reference page draws every operation from the served document, with nothing from elsewhere', async () => {
  const { call } = await startInProcess()
  const page = await call('GET /reference')
  expect(page.status).toBe(200)
  expect(page.text).not.toMatch(/https?:\/\//)
  const script = await call('GET /reference?asset=standalone.js')
  expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(script.text).not.toMatch(/https?:\/\/|innerHTML/)

  const body = new FakeElement('body')
  const document = {
    body,
    head: new FakeElement('head'),
    createElement: (name: string) => new FakeElement(name),
    getElementById: () => new FakeElement('script'),
  }
  const served = (await call('GET /openapi.json')).body
  const context = createContext({ document, fetch: async () => ({ json: async () => served }) })
  await runInContext(script.text, context)
  const operations = Object.entries(served.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()}\n\n${path}`),
  )
  expect(operations.length).toBeGreaterThan(50)
  const shown = body.text.replace(/\n{2,}/g, '\n\n')
  for (const operation of operations) expect(shown).toContain(operation.replace('\n\n', '\n'))
  expect(shown).toContain('"host_player_id"')
  expect(shown).toContain('waiting | in_queue | matched | starting | in_game')
})
