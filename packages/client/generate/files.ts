import { adminTypesOf } from './admin-types'
import type { Document } from './document'
import { resourcesOf } from './resources'
import { typesOf } from './types'

/** Returns every file of `src` that is generated from the document, by its path. */
export const generatedFiles = (document: Document): (readonly [path: string, text: string])[] => [
  ['api/types.ts', typesOf(document)],
  ['admin/resources.ts', resourcesOf(document)],
  ['admin/types.ts', adminTypesOf(document)],
]
