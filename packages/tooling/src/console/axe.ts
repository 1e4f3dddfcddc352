import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly help: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/**
 * Returns the serious and critical findings of the accessibility checker `axe` in a page. Each finding is a sentence
 * with the element.
 */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  // The script runs through the debugger, because the page's content security policy forbids script elements with other
  // code.
  await page.evaluate(AXE)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as Found
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary = '' }) =>
          `${id}: ${help}: ${html.slice(0, 200)} (${failureSummary.replaceAll('\n', ' ')})`,
      ),
    )
}
