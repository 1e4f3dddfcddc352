import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type { Walk } from './walks'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Step {
  readonly path: string
  readonly name: string
  /** Lines of its declaration, without the comment above it. */
  readonly lines: number
  readonly text: string
}

export interface Measured {
  readonly files: number
  readonly lines: number
  readonly steps: readonly Step[]
  /** Steps that nothing before them names. */
  readonly astray: readonly string[]
}

/** Sums the functions of a walk; throws where one is not there any more. */
export function measure(walk: Walk): Measured {
  const steps = walk.steps.map(stepOf)
  const astray = steps
    .filter(({ name }, index) => index > 0 && !steps.slice(0, index).some(({ text }) => names(text, name)))
    .filter((step) => !isLinked(step.name))
    .map(({ path, name }) => `${path}#${name}`)
  const files = new Set(steps.map(({ path }) => path)).size
  return { files, lines: steps.reduce((sum, { lines }) => sum + lines, 0), steps, astray }
}

/**
 * Steps that are reached through a port or a table, where no call names them: a signal of the storage, a row of the worker's
 * handlers, a row of an aggregate.
 */
const LINKED = ['createLobby', 'applyCommit', 'NodeStreams.onSignal', 'OpenStreams.pump', 'launchServer', 'serverMoved']
const isLinked = (name: string) => LINKED.includes(name)

const names = (text: string, name: string) => new RegExp(`\\b${name.split('.').at(-1)}\\b`).test(text)

function stepOf(place: string): Step {
  const [path = '', name = ''] = place.split('#')
  const tree = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.ES2022, true)
  const node = find(tree, name)
  if (node === undefined) throw new Error(`${place} is not there any more: mend docs/measures/walks.ts`)
  const line = (at: number) => tree.getLineAndCharacterOfPosition(at).line
  const lines = line(node.getEnd()) - line(node.getStart(tree)) + 1
  return { path, name, lines, text: node.getText(tree) }
}

function find(tree: ts.SourceFile, name: string): ts.Node | undefined {
  const [owner, method] = name.split('.')
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement
    if (ts.isVariableStatement(statement)) {
      const declared = statement.declarationList.declarations.find((one) => one.name.getText(tree) === name)
      if (declared !== undefined) return declared
    }
    if (method !== undefined && ts.isClassDeclaration(statement) && statement.name?.text === owner) {
      return statement.members.find((member) => member.name?.getText(tree) === method)
    }
  }
  return undefined
}
