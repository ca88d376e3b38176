// The contract of this service in Swagger UI; nothing is kept, nothing is asked of other servers.
SwaggerUIBundle({
  dom_id: '#explorer',
  url: '/api/v1/openapi.json',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  persistAuthorization: false,
  tryItOutEnabled: true,
});
