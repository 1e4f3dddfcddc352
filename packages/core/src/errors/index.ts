export { ERROR_CATALOGUE, type ErrorCode, type ErrorKind, type ErrorRow } from './catalogue'
export { orThrow, ServiceError, type ValidationIssue, validationFailed } from './service-error'
