import { PLANS } from '@matchyard/core'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles, visit } from './source-files'

const CATALOGUE = 'catalog/plans.ts'
const PACKAGES = ['core', 'http', 'server', 'testkit']

/** Returns the places that name a plan: rules about one plan belong into the catalogue. */
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
