import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url))

export interface SourceFile {
  /** Path relative to the package's `src`, with forward slashes. */
  readonly path: string
  readonly tree: ts.SourceFile
  /** Specifiers as they are written: `./members`, `zod`. */
  readonly imports: readonly string[]
}

/** Returns every source file of a package, parsed. */
export function sourceFiles(packageName: string): SourceFile[] {
  const root = join(PACKAGES, packageName, 'src')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => {
      const tree = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ES2022, true)
      return { path: path.split(sep).join('/'), tree, imports: importsOf(tree) }
    })
}

/** Returns the specifiers of static imports, re-exports and `import()`, of values and of types. */
function importsOf(tree: ts.SourceFile): string[] {
  const found: string[] = []
  visit(tree, (node) => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
            ? node.argument.literal
            : undefined
    if (specifier !== undefined && ts.isStringLiteral(specifier)) found.push(specifier.text)
  })
  return found
}

export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

/** Returns the target of a relative import, relative to `src`. */
export const target = (file: SourceFile, specifier: string): string =>
  normalize(join(dirname(file.path), specifier))
    .split(sep)
    .join('/')

export const isRelative = (specifier: string): boolean => specifier.startsWith('.')

export interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export const manifestOf = (packageName: string): Manifest =>
  JSON.parse(readFileSync(join(PACKAGES, packageName, 'package.json'), 'utf8')) as Manifest

/** Returns the folders of `packages/` that hold a TypeScript package; the packages for game engines have no `src`. */
export const packageNames = (): string[] =>
  readdirSync(PACKAGES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(PACKAGES, entry.name, 'src')))
    .map((entry) => relative(PACKAGES, join(PACKAGES, entry.name)))
