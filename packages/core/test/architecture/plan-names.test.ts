import { PLANS } from '@matchyard/core'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles, visit } from './source-files'

const CATALOGUE = 'catalog/plans.ts'
const PACKAGES = ['core', 'http', 'server', 'testkit']

/** Where a plan is called by its name: a rule about one plan belongs into what the catalogue says of it. */
function namedPlans({ path, tree }: SourceFile): string[] {
  const found: string[] = []
  visit(tree, (node) => {
    if (ts.isStringLiteralLike(node) && (PLANS as readonly string[]).includes(node.text)) {
      found.push(`${path}: '${node.text}'`)
    }
  })
  return found
}

describe('plans describe themselves', () => {
  it.each(PACKAGES)('%s calls none by its name outside the catalogue', (name) => {
    const others = sourceFiles(name).filter(({ path }) => path !== CATALOGUE)
    expect(others.flatMap(namedPlans)).toEqual([])
  })

  it('would see one that did', () => {
    const tree = ts.createSourceFile('a.ts', "if (plan === 'pro') give(credit)", ts.ScriptTarget.ES2022, true)
    expect(namedPlans({ path: 'a.ts', tree, imports: [] })).toEqual(["a.ts: 'pro'"])
  })
})
