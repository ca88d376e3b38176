// Types from the schema and some documents, by graphql-codegen: `node generate.mjs SCHEMA DOCUMENTS OUTPUT`.
import { readFileSync, writeFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';

const [schema, documents, output] = process.argv.slice(2);
const text = await codegen({
  schema: parse(readFileSync(schema, 'utf8')),
  documents: [{ location: documents, document: parse(readFileSync(documents, 'utf8')) }],
  filename: output,
  plugins: [{ typescript: {} }, { operations: {} }],
  pluginMap: { typescript, operations },
  config: {
    enumsAsTypes: true,
    useTypeImports: true,
    strictScalars: true,
    scalars: { DateTime: 'string', JSON: 'unknown', Milliseconds: 'number' },
  },
});
writeFileSync(output, text);
