import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface EntryPoint {
  /** The name in an import, for example `@matchyard/core/ports`. */
  readonly name: string
  readonly values: readonly string[]
  readonly types: readonly string[]
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, { readonly '@matchyard/source'?: string }>>
}

/** Returns the names that each published package exports, by entry point; `testing` entries are for tests. */
export function entryPoints(): EntryPoint[] {
  return readdirSync(join(ROOT, 'packages'))
    .sort()
    .flatMap((folder) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8')) as Manifest
      if (manifest.private === true) return []
      return Object.entries(manifest.exports ?? {}).flatMap(([at, { '@matchyard/source': source }]) => {
        if (source === undefined || at.endsWith('/testing')) return []
        const all = [...namesOf(join(ROOT, 'packages', folder, source))]
        const named = (isType: boolean) => all.filter(([, type]) => type === isType).map(([name]) => name)
        return [{ name: manifest.name + at.slice(1), values: named(false).sort(), types: named(true).sort() }]
      })
    })
}

const HEAD = '# Written by `npm run generate` from the entries of the packages; not to be edited by hand.\n'

/** Returns the list of all names, one per line, so that a diff shows each new name as a line. */
export const listOf = (entries: readonly EntryPoint[]): string =>
  HEAD +
  entries
    .flatMap(({ name, values, types }) => [
      ...values.map((value) => `${name} ${value}`),
      ...types.map((type) => `${name} type ${type}`),
    ])
    .map((line) => `${line}\n`)
    .join('')

/** Returns the names that a file exports, and whether each is only a type. */
function namesOf(path: string, seen = new Set<string>()): Map<string, boolean> {
  const names = new Map<string, boolean>()
  if (seen.has(path)) return names
  seen.add(path)
  const add = (name: string, isType: boolean) => names.set(name, isType && (names.get(name) ?? true))
  for (const statement of treeOf(path).statements) {
    if (ts.isExportDeclaration(statement)) {
      for (const [name, isType] of reExported(statement, path, seen)) add(name, isType)
    } else if (isExported(statement)) {
      for (const name of declared(statement)) {
        add(name, ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      }
    }
  }
  return names
}

function reExported(
  { exportClause, moduleSpecifier, isTypeOnly }: ts.ExportDeclaration,
  path: string,
  seen: Set<string>,
): [name: string, isType: boolean][] {
  const from =
    moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? fileOf(path, moduleSpecifier.text) : path
  if (exportClause === undefined) {
    return [...namesOf(from, seen)].map(([name, isType]) => [name, isTypeOnly || isType])
  }
  if (ts.isNamespaceExport(exportClause)) return [[exportClause.name.text, isTypeOnly]]
  return exportClause.elements.map((element) => [element.name.text, isTypeOnly || element.isTypeOnly])
}

const treeOf = (path: string) =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS)

const isExported = (statement: ts.Statement) =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false)

function declared(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map((one) => one.name.getText())
  const { name } = statement as ts.DeclarationStatement
  return name === undefined ? [] : [name.text]
}

/**
 * Returns the source file of an import specifier: next to the importing file, or the entry of another package of the
 * workspace.
 */
function fileOf(path: string, specifier: string): string {
  if (!specifier.startsWith('.')) return join(ROOT, 'packages', specifier.replace('@matchyard/', ''), 'src/index.ts')
  const base = join(dirname(path), specifier)
  const found = [`${base}.ts`, join(base, 'index.ts')].find(existsSync)
  if (found === undefined) throw new Error(`${path} exports from ${specifier}, which is not there`)
  return found
}
