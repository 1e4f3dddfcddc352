import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const HEADERS = fileURLToPath(new URL('../../../engines/cpp', import.meta.url))

/** Returns the reason why this machine cannot compile the C++ client; undefined when it can. */
export function whyNoCpp(): string | undefined {
  const input = '#include <curl/curl.h>\n'
  const { error, status } = spawnSync('g++', ['-std=c++17', '-fsyntax-only', '-x', 'c++', '-'], { input })
  if (error !== undefined) return 'there is no g++'
  return status === 0 ? undefined : 'the headers of libcurl are not installed'
}

/** Compiles a program that includes the C++ client. Every warning is an error. */
export function compileCpp(source: string, program: string): void {
  const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']
  execFileSync('g++', ['-std=c++17', ...warnings, '-I', HEADERS, source, '-o', program, '-pthread', '-lcurl'])
}
