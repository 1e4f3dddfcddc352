import { z } from '@hono/zod-openapi'
import { API_KEY_TYPES, type ApiKey, type Project } from '@matchyard/core'
import type { CreatedProject, MintedKey } from './core-types'
import { dateTime, iso, isoOrNull, name, text } from './shared'

export const createProjectBody = z.strictObject({ name: text(1, 64) })
export const mintKeyBody = z.strictObject({ type: z.enum(API_KEY_TYPES), name: name.optional() })

const projectFields = {
  project_id: z.string(),
  account_id: z.string(),
  name: z.string(),
  slug: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
}

export const projectSchema = z.object(projectFields).openapi('Project')

export const apiKeySchema = z
  .object({
    key_id: z.string(),
    project_id: z.string(),
    type: z.enum(API_KEY_TYPES),
    name: z.string(),
    last4: z.string(),
    created_at: dateTime,
    revoked_at: dateTime.nullable(),
  })
  .openapi('ApiKey')

export const mintedKeySchema = apiKeySchema
  .extend({ key: z.string().optional().openapi({ description: 'The value, this once; not in a replayed answer.' }) })
  .openapi('MintedApiKey')

export const createdProjectSchema = z
  .object({ ...projectFields, keys: z.array(mintedKeySchema) })
  .openapi('CreatedProject')

export const toProjectWire = (project: Project) => ({
  project_id: project.id,
  account_id: project.accountId,
  name: project.name,
  slug: project.slug,
  created_at: iso(project.createdAt),
  updated_at: iso(project.updatedAt),
})

export const toApiKeyWire = (key: ApiKey) => ({
  key_id: key.id,
  project_id: key.projectId,
  type: key.type,
  name: key.name,
  last4: key.last4,
  created_at: iso(key.createdAt),
  revoked_at: isoOrNull(key.revokedAt),
})

/** With the value, unless the answer is a replayed one. */
export const toMintedKeyWire = ({ key, value }: MintedKey) => ({
  ...toApiKeyWire(key),
  ...(value === null ? {} : { key: value }),
})

export const toCreatedProjectWire = ({ project, keys }: CreatedProject) => ({
  ...toProjectWire(project),
  keys: keys.map(toMintedKeyWire),
})
