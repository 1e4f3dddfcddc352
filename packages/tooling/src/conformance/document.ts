import { ENDPOINTS, openApiDocument } from '@matchyard/http'
import { DocumentedAnswers, type Json } from '../documented-answers'

const source = openApiDocument(ENDPOINTS, '1') as { readonly components?: unknown }

/** The generated OpenAPI document. */
export const document = new DocumentedAnswers(source)

/** The named schemas of the OpenAPI document. */
export const schemas = (): unknown => source.components

export const problemSchema = (): Json => ({ $ref: 'document#/components/schemas/Problem' })
