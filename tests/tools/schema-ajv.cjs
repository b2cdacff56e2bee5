// Whether documents are valid by a schema, by another validator than ours:
//
//     node schema-ajv.cjs SCHEMA DOCUMENT...
'use strict'
const fs = require('fs')
const Ajv = require('ajv/dist/2020').default
const read = name => JSON.parse(fs.readFileSync(name, 'utf8'))
const [, , schema, ...documents] = process.argv
const valid = new Ajv({ allErrors: true, strict: false }).compile(read(schema))
for (const name of documents)
  console.log(valid(read(name)), name, JSON.stringify(valid.errors || []))
