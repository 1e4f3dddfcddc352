// Packs the renderer of `GET /reference`: the browser bundle of @scalar/api-reference, compressed for transfer.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const LICENCE = `/*! @scalar/api-reference, https://github.com/scalar/scalar: MIT License, Copyright (c) 2023-present Scalar.
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions
of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
`

/** Writes the renderer into the folder `dist` of a package that depends on the renderer. */
export async function packReference(folder) {
  const script = await readFile(join(folder, 'node_modules/@scalar/api-reference/dist/browser/standalone.js'), 'utf8')
  // The comment that points to the source map is removed, because the service does not serve the map.
  const bare = script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
  const packed = await promisify(gzip)(LICENCE + bare, { level: constants.Z_BEST_COMPRESSION })
  await mkdir(join(folder, 'dist/reference'), { recursive: true })
  await writeFile(join(folder, 'dist/reference/standalone.js.gz'), packed)
}
