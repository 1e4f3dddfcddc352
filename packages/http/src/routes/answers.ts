import type { z } from '@hono/zod-openapi'
import type { Success } from '../endpoint'

export const created = (schema: z.ZodType, description = 'Created.'): Success => ({ status: 201, description, schema })
export const ok = (schema: z.ZodType, description = 'OK.'): Success => ({ status: 200, description, schema })
export const NO_CONTENT: Success = { status: 204, description: 'Done.' }
