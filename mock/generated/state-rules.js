// @ts-nocheck
// Made from mock/seed.schema.json by `npm run generate`. Do not edit.
import module0 from 'ajv/dist/runtime/ucs2length.js';
import module1 from 'ajv-formats/dist/formats.js';

export const stateRule = validate52;
const schema19 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"properties":{"$schema":{"type":"string"},"leads":{"type":"array","items":{"$ref":"#/$defs/Lead"}},"templates":{"type":"array","items":{"$ref":"#/$defs/Template"}},"outbox":{"type":"array","items":{"$ref":"#/$defs/Message"}},"requests":{"type":"array","items":{"$ref":"#/$defs/Request"}},"faults":{"type":"array","items":{"$ref":"#/$defs/FaultRule"}},"clock":{"$ref":"#/$defs/Clock"},"answers":{"$ref":"#/$defs/Answers"},"counters":{"$ref":"#/$defs/Counters"}},"$defs":{"Lead":{"type":"object","additionalProperties":false,"required":["name"],"properties":{"lead_id":{"type":"string","minLength":1,"maxLength":1000},"name":{"type":"string"},"source":{"type":"string"},"note":{"type":"string"},"created_at":{"type":"string","format":"date-time","pattern":"Z$"},"updated_at":{"type":"string","format":"date-time","pattern":"Z$"}}},"Template":{"type":"object","additionalProperties":false,"required":["name","body"],"properties":{"id":{"type":"string","minLength":1,"maxLength":1000},"name":{"type":"string","minLength":1},"body":{"type":"string","minLength":1},"variables":{"type":"array","items":{"type":"string"}},"created_at":{"type":"string","format":"date-time","pattern":"Z$"}}},"Message":{"type":"object","additionalProperties":false,"required":["operation"],"properties":{"id":{"type":"string","minLength":1,"maxLength":1000,"not":{"enum":["latest","wait"]}},"operation":{"type":"string","enum":["sendEmail","sendTemplateEmail"]},"from":{"type":["string","null"]},"to":{"type":["string","null"]},"subject":{"type":["string","null"]},"html":{"type":["string","null"]},"template_id":{"type":["string","null"]},"variables":{"type":["object","null"],"additionalProperties":{"type":"string"}},"created_at":{"type":"string","format":"date-time","pattern":"Z$"}}},"Request":{"type":"object","additionalProperties":false,"required":["id","operation","method","path","status","created_at","duration_ms","why","request","response"],"properties":{"id":{"type":"string","pattern":"^req_\\d{6,15}$"},"operation":{"type":["string","null"]},"method":{"type":"string"},"path":{"type":"string"},"status":{"type":"integer","minimum":0,"maximum":599},"created_at":{"type":"string","format":"date-time","pattern":"Z$"},"duration_ms":{"type":"number","minimum":0},"why":{"type":["object","null"],"additionalProperties":false,"required":["code","what"],"properties":{"code":{"type":"string"},"what":{"type":"string"},"question":{"type":"string"},"answer":{"type":["string","integer"]}}},"request":{"type":"object","additionalProperties":false,"required":["headers","body","body_cut"],"properties":{"headers":{"type":"object","additionalProperties":{"type":"string"}},"body":{"type":["string","null"]},"body_cut":{"type":"boolean"}}},"response":{"type":"object","additionalProperties":false,"required":["headers","body","body_cut"],"properties":{"headers":{"type":"object","additionalProperties":{"type":"string"}},"body":{"type":["string","null"]},"body_cut":{"type":"boolean"}}}}},"FaultRule":{"type":"object","additionalProperties":false,"properties":{"operation":{"type":"string"},"method":{"type":"string","pattern":"^[A-Za-z]{1,20}$"},"path":{"type":"string","pattern":"^/","maxLength":2000},"to":{"type":"string"},"nth":{"type":"integer","minimum":1,"maximum":999999999},"status":{"type":"integer","minimum":200,"maximum":599},"fault":{"type":"string","enum":["EMPTY_RESPONSE","CONNECTION_RESET_BY_PEER","MALFORMED_RESPONSE_CHUNK","RANDOM_DATA_THEN_CLOSE"]},"delay_ms":{"type":["integer","object"],"minimum":0,"maximum":60000,"additionalProperties":false,"required":["min","max"],"properties":{"min":{"type":"integer","minimum":0,"maximum":60000},"max":{"type":"integer","minimum":0,"maximum":60000}}},"body":{},"take_effect":{"type":"boolean"},"retry_after":{"type":["integer","string"],"minimum":0,"maximum":999999999,"minLength":1,"maxLength":100,"pattern":"^[ -~]+$"},"times":{"type":"integer","minimum":1,"maximum":999999999},"seen":{"type":"integer","minimum":0,"maximum":999999999999999},"matched":{"type":"integer","minimum":0,"maximum":999999999999999},"left":{"type":["integer","null"],"minimum":0}}},"Clock":{"type":"object","additionalProperties":false,"properties":{"now":{"type":"string"},"frozen":{"type":"boolean"},"offset_ms":{"type":"number"}}},"Answers":{"type":"object","additionalProperties":{"type":["string","integer"]}},"Counters":{"type":"object","additionalProperties":false,"properties":{"leads":{"type":"integer","minimum":0,"maximum":999999999999999},"templates":{"type":"integer","minimum":0,"maximum":999999999999999},"messages":{"type":"integer","minimum":0,"maximum":999999999999999},"requests":{"type":"integer","minimum":0,"maximum":999999999999999}}}}};
const func1 = Object.prototype.hasOwnProperty;
const schema20 = {"type":"object","additionalProperties":false,"required":["name"],"properties":{"lead_id":{"type":"string","minLength":1,"maxLength":1000},"name":{"type":"string"},"source":{"type":"string"},"note":{"type":"string"},"created_at":{"type":"string","format":"date-time","pattern":"Z$"},"updated_at":{"type":"string","format":"date-time","pattern":"Z$"}}};
const func2 = (module0.default ?? module0);
const formats0 = module1.fullFormats["date-time"];
const pattern3 = new RegExp("Z$", "u");

function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate53.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.name === undefined) && (missing0 = "name")){
validate53.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema20.required,parentSchema:schema20,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "lead_id") || (key0 === "name")) || (key0 === "source")) || (key0 === "note")) || (key0 === "created_at")) || (key0 === "updated_at"))){
validate53.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema20,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.lead_id !== undefined){
let data0 = data.lead_id;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func2(data0) > 1000){
validate53.errors = [{instancePath:instancePath+"/lead_id",schemaPath:"#/properties/lead_id/maxLength",keyword:"maxLength",params:{limit: 1000},message:"must NOT have more than 1000 characters",schema:1000,parentSchema:schema20.properties.lead_id,data:data0}];
return false;
}
else {
if(func2(data0) < 1){
validate53.errors = [{instancePath:instancePath+"/lead_id",schemaPath:"#/properties/lead_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema20.properties.lead_id,data:data0}];
return false;
}
}
}
else {
validate53.errors = [{instancePath:instancePath+"/lead_id",schemaPath:"#/properties/lead_id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema20.properties.lead_id.type,parentSchema:schema20.properties.lead_id,data:data0}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs4 = errors;
if(typeof data1 !== "string"){
validate53.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema20.properties.name.type,parentSchema:schema20.properties.name,data:data1}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.source !== undefined){
let data2 = data.source;
const _errs6 = errors;
if(typeof data2 !== "string"){
validate53.errors = [{instancePath:instancePath+"/source",schemaPath:"#/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema20.properties.source.type,parentSchema:schema20.properties.source,data:data2}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.note !== undefined){
let data3 = data.note;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate53.errors = [{instancePath:instancePath+"/note",schemaPath:"#/properties/note/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema20.properties.note.type,parentSchema:schema20.properties.note,data:data3}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
let data4 = data.created_at;
const _errs10 = errors;
if(errors === _errs10){
if(errors === _errs10){
if(typeof data4 === "string"){
if(!pattern3.test(data4)){
validate53.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/pattern",keyword:"pattern",params:{pattern: "Z$"},message:"must match pattern \""+"Z$"+"\"",schema:"Z$",parentSchema:schema20.properties.created_at,data:data4}];
return false;
}
else {
if(!(formats0.validate(data4))){
validate53.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema20.properties.created_at,data:data4}];
return false;
}
}
}
else {
validate53.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema20.properties.created_at.type,parentSchema:schema20.properties.created_at,data:data4}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updated_at !== undefined){
let data5 = data.updated_at;
const _errs12 = errors;
if(errors === _errs12){
if(errors === _errs12){
if(typeof data5 === "string"){
if(!pattern3.test(data5)){
validate53.errors = [{instancePath:instancePath+"/updated_at",schemaPath:"#/properties/updated_at/pattern",keyword:"pattern",params:{pattern: "Z$"},message:"must match pattern \""+"Z$"+"\"",schema:"Z$",parentSchema:schema20.properties.updated_at,data:data5}];
return false;
}
else {
if(!(formats0.validate(data5))){
validate53.errors = [{instancePath:instancePath+"/updated_at",schemaPath:"#/properties/updated_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema20.properties.updated_at,data:data5}];
return false;
}
}
}
else {
validate53.errors = [{instancePath:instancePath+"/updated_at",schemaPath:"#/properties/updated_at/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema20.properties.updated_at.type,parentSchema:schema20.properties.updated_at,data:data5}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate53.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema20.type,parentSchema:schema20,data}];
return false;
}
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema21 = {"type":"object","additionalProperties":false,"required":["name","body"],"properties":{"id":{"type":"string","minLength":1,"maxLength":1000},"name":{"type":"string","minLength":1},"body":{"type":"string","minLength":1},"variables":{"type":"array","items":{"type":"string"}},"created_at":{"type":"string","format":"date-time","pattern":"Z$"}}};

function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.name === undefined) && (missing0 = "name")) || ((data.body === undefined) && (missing0 = "body"))){
validate55.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema21.required,parentSchema:schema21,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "id") || (key0 === "name")) || (key0 === "body")) || (key0 === "variables")) || (key0 === "created_at"))){
validate55.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema21,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func2(data0) > 1000){
validate55.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/maxLength",keyword:"maxLength",params:{limit: 1000},message:"must NOT have more than 1000 characters",schema:1000,parentSchema:schema21.properties.id,data:data0}];
return false;
}
else {
if(func2(data0) < 1){
validate55.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema21.properties.id,data:data0}];
return false;
}
}
}
else {
validate55.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema21.properties.id.type,parentSchema:schema21.properties.id,data:data0}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func2(data1) < 1){
validate55.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema21.properties.name,data:data1}];
return false;
}
}
else {
validate55.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema21.properties.name.type,parentSchema:schema21.properties.name,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.body !== undefined){
let data2 = data.body;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(func2(data2) < 1){
validate55.errors = [{instancePath:instancePath+"/body",schemaPath:"#/properties/body/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema21.properties.body,data:data2}];
return false;
}
}
else {
validate55.errors = [{instancePath:instancePath+"/body",schemaPath:"#/properties/body/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema21.properties.body.type,parentSchema:schema21.properties.body,data:data2}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.variables !== undefined){
let data3 = data.variables;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data3)){
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs10 = errors;
if(typeof data4 !== "string"){
validate55.errors = [{instancePath:instancePath+"/variables/" + i0,schemaPath:"#/properties/variables/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema21.properties.variables.items.type,parentSchema:schema21.properties.variables.items,data:data4}];
return false;
}
var valid1 = _errs10 === errors;
if(!valid1){
break;
}
}
}
else {
validate55.errors = [{instancePath:instancePath+"/variables",schemaPath:"#/properties/variables/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema21.properties.variables.type,parentSchema:schema21.properties.variables,data:data3}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
let data5 = data.created_at;
const _errs12 = errors;
if(errors === _errs12){
if(errors === _errs12){
if(typeof data5 === "string"){
if(!pattern3.test(data5)){
validate55.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/pattern",keyword:"pattern",params:{pattern: "Z$"},message:"must match pattern \""+"Z$"+"\"",schema:"Z$",parentSchema:schema21.properties.created_at,data:data5}];
return false;
}
else {
if(!(formats0.validate(data5))){
validate55.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema21.properties.created_at,data:data5}];
return false;
}
}
}
else {
validate55.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema21.properties.created_at.type,parentSchema:schema21.properties.created_at,data:data5}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate55.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema21.type,parentSchema:schema21,data}];
return false;
}
}
validate55.errors = vErrors;
return errors === 0;
}
validate55.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema22 = {"type":"object","additionalProperties":false,"required":["operation"],"properties":{"id":{"type":"string","minLength":1,"maxLength":1000,"not":{"enum":["latest","wait"]}},"operation":{"type":"string","enum":["sendEmail","sendTemplateEmail"]},"from":{"type":["string","null"]},"to":{"type":["string","null"]},"subject":{"type":["string","null"]},"html":{"type":["string","null"]},"template_id":{"type":["string","null"]},"variables":{"type":["object","null"],"additionalProperties":{"type":"string"}},"created_at":{"type":"string","format":"date-time","pattern":"Z$"}}};

function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate57.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.operation === undefined) && (missing0 = "operation")){
validate57.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema22.required,parentSchema:schema22,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func1.call(schema22.properties, key0))){
validate57.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema22,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
const _errs4 = errors;
const _errs5 = errors;
if(!((data0 === "latest") || (data0 === "wait"))){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var valid1 = _errs5 === errors;
if(valid1){
validate57.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/not",keyword:"not",params:{},message:"must NOT be valid",schema:schema22.properties.id.not,parentSchema:schema22.properties.id,data:data0}];
return false;
}
else {
errors = _errs4;
if(vErrors !== null){
if(_errs4){
vErrors.length = _errs4;
}
else {
vErrors = null;
}
}
}
if(errors === _errs2){
if(typeof data0 === "string"){
if(func2(data0) > 1000){
validate57.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/maxLength",keyword:"maxLength",params:{limit: 1000},message:"must NOT have more than 1000 characters",schema:1000,parentSchema:schema22.properties.id,data:data0}];
return false;
}
else {
if(func2(data0) < 1){
validate57.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema22.properties.id,data:data0}];
return false;
}
}
}
else {
validate57.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema22.properties.id.type,parentSchema:schema22.properties.id,data:data0}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.operation !== undefined){
let data1 = data.operation;
const _errs6 = errors;
if(typeof data1 !== "string"){
validate57.errors = [{instancePath:instancePath+"/operation",schemaPath:"#/properties/operation/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema22.properties.operation.type,parentSchema:schema22.properties.operation,data:data1}];
return false;
}
if(!((data1 === "sendEmail") || (data1 === "sendTemplateEmail"))){
validate57.errors = [{instancePath:instancePath+"/operation",schemaPath:"#/properties/operation/enum",keyword:"enum",params:{allowedValues: schema22.properties.operation.enum},message:"must be equal to one of the allowed values",schema:schema22.properties.operation.enum,parentSchema:schema22.properties.operation,data:data1}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.from !== undefined){
let data2 = data.from;
const _errs8 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate57.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/type",keyword:"type",params:{type: schema22.properties.from.type},message:"must be string,null",schema:schema22.properties.from.type,parentSchema:schema22.properties.from,data:data2}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data3 = data.to;
const _errs10 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate57.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/type",keyword:"type",params:{type: schema22.properties.to.type},message:"must be string,null",schema:schema22.properties.to.type,parentSchema:schema22.properties.to,data:data3}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.subject !== undefined){
let data4 = data.subject;
const _errs12 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate57.errors = [{instancePath:instancePath+"/subject",schemaPath:"#/properties/subject/type",keyword:"type",params:{type: schema22.properties.subject.type},message:"must be string,null",schema:schema22.properties.subject.type,parentSchema:schema22.properties.subject,data:data4}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.html !== undefined){
let data5 = data.html;
const _errs14 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate57.errors = [{instancePath:instancePath+"/html",schemaPath:"#/properties/html/type",keyword:"type",params:{type: schema22.properties.html.type},message:"must be string,null",schema:schema22.properties.html.type,parentSchema:schema22.properties.html,data:data5}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.template_id !== undefined){
let data6 = data.template_id;
const _errs16 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate57.errors = [{instancePath:instancePath+"/template_id",schemaPath:"#/properties/template_id/type",keyword:"type",params:{type: schema22.properties.template_id.type},message:"must be string,null",schema:schema22.properties.template_id.type,parentSchema:schema22.properties.template_id,data:data6}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.variables !== undefined){
let data7 = data.variables;
const _errs18 = errors;
if((!(data7 && typeof data7 == "object" && !Array.isArray(data7))) && (data7 !== null)){
validate57.errors = [{instancePath:instancePath+"/variables",schemaPath:"#/properties/variables/type",keyword:"type",params:{type: schema22.properties.variables.type},message:"must be object,null",schema:schema22.properties.variables.type,parentSchema:schema22.properties.variables,data:data7}];
return false;
}
if(errors === _errs18){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key1 in data7){
let data8 = data7[key1];
const _errs21 = errors;
if(typeof data8 !== "string"){
validate57.errors = [{instancePath:instancePath+"/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/variables/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema22.properties.variables.additionalProperties.type,parentSchema:schema22.properties.variables.additionalProperties,data:data8}];
return false;
}
var valid2 = _errs21 === errors;
if(!valid2){
break;
}
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
let data9 = data.created_at;
const _errs23 = errors;
if(errors === _errs23){
if(errors === _errs23){
if(typeof data9 === "string"){
if(!pattern3.test(data9)){
validate57.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/pattern",keyword:"pattern",params:{pattern: "Z$"},message:"must match pattern \""+"Z$"+"\"",schema:"Z$",parentSchema:schema22.properties.created_at,data:data9}];
return false;
}
else {
if(!(formats0.validate(data9))){
validate57.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema22.properties.created_at,data:data9}];
return false;
}
}
}
else {
validate57.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema22.properties.created_at.type,parentSchema:schema22.properties.created_at,data:data9}];
return false;
}
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate57.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema22.type,parentSchema:schema22,data}];
return false;
}
}
validate57.errors = vErrors;
return errors === 0;
}
validate57.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema23 = {"type":"object","additionalProperties":false,"required":["id","operation","method","path","status","created_at","duration_ms","why","request","response"],"properties":{"id":{"type":"string","pattern":"^req_\\d{6,15}$"},"operation":{"type":["string","null"]},"method":{"type":"string"},"path":{"type":"string"},"status":{"type":"integer","minimum":0,"maximum":599},"created_at":{"type":"string","format":"date-time","pattern":"Z$"},"duration_ms":{"type":"number","minimum":0},"why":{"type":["object","null"],"additionalProperties":false,"required":["code","what"],"properties":{"code":{"type":"string"},"what":{"type":"string"},"question":{"type":"string"},"answer":{"type":["string","integer"]}}},"request":{"type":"object","additionalProperties":false,"required":["headers","body","body_cut"],"properties":{"headers":{"type":"object","additionalProperties":{"type":"string"}},"body":{"type":["string","null"]},"body_cut":{"type":"boolean"}}},"response":{"type":"object","additionalProperties":false,"required":["headers","body","body_cut"],"properties":{"headers":{"type":"object","additionalProperties":{"type":"string"}},"body":{"type":["string","null"]},"body_cut":{"type":"boolean"}}}}};
const pattern7 = new RegExp("^req_\\d{6,15}$", "u");

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate59.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((data.id === undefined) && (missing0 = "id")) || ((data.operation === undefined) && (missing0 = "operation"))) || ((data.method === undefined) && (missing0 = "method"))) || ((data.path === undefined) && (missing0 = "path"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.duration_ms === undefined) && (missing0 = "duration_ms"))) || ((data.why === undefined) && (missing0 = "why"))) || ((data.request === undefined) && (missing0 = "request"))) || ((data.response === undefined) && (missing0 = "response"))){
validate59.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema23.required,parentSchema:schema23,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func1.call(schema23.properties, key0))){
validate59.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema23,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern7.test(data0)){
validate59.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^req_\\d{6,15}$"},message:"must match pattern \""+"^req_\\d{6,15}$"+"\"",schema:"^req_\\d{6,15}$",parentSchema:schema23.properties.id,data:data0}];
return false;
}
}
else {
validate59.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.properties.id.type,parentSchema:schema23.properties.id,data:data0}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.operation !== undefined){
let data1 = data.operation;
const _errs4 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate59.errors = [{instancePath:instancePath+"/operation",schemaPath:"#/properties/operation/type",keyword:"type",params:{type: schema23.properties.operation.type},message:"must be string,null",schema:schema23.properties.operation.type,parentSchema:schema23.properties.operation,data:data1}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.method !== undefined){
let data2 = data.method;
const _errs6 = errors;
if(typeof data2 !== "string"){
validate59.errors = [{instancePath:instancePath+"/method",schemaPath:"#/properties/method/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.properties.method.type,parentSchema:schema23.properties.method,data:data2}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.path !== undefined){
let data3 = data.path;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate59.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.properties.path.type,parentSchema:schema23.properties.path,data:data3}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data4 = data.status;
const _errs10 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate59.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema23.properties.status.type,parentSchema:schema23.properties.status,data:data4}];
return false;
}
if(errors === _errs10){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 599 || isNaN(data4)){
validate59.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/maximum",keyword:"maximum",params:{comparison: "<=", limit: 599},message:"must be <= 599",schema:599,parentSchema:schema23.properties.status,data:data4}];
return false;
}
else {
if(data4 < 0 || isNaN(data4)){
validate59.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema23.properties.status,data:data4}];
return false;
}
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
let data5 = data.created_at;
const _errs12 = errors;
if(errors === _errs12){
if(errors === _errs12){
if(typeof data5 === "string"){
if(!pattern3.test(data5)){
validate59.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/pattern",keyword:"pattern",params:{pattern: "Z$"},message:"must match pattern \""+"Z$"+"\"",schema:"Z$",parentSchema:schema23.properties.created_at,data:data5}];
return false;
}
else {
if(!(formats0.validate(data5))){
validate59.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema23.properties.created_at,data:data5}];
return false;
}
}
}
else {
validate59.errors = [{instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.properties.created_at.type,parentSchema:schema23.properties.created_at,data:data5}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.duration_ms !== undefined){
let data6 = data.duration_ms;
const _errs14 = errors;
if(errors === _errs14){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
validate59.errors = [{instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema23.properties.duration_ms,data:data6}];
return false;
}
}
else {
validate59.errors = [{instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema23.properties.duration_ms.type,parentSchema:schema23.properties.duration_ms,data:data6}];
return false;
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.why !== undefined){
let data7 = data.why;
const _errs16 = errors;
if((!(data7 && typeof data7 == "object" && !Array.isArray(data7))) && (data7 !== null)){
validate59.errors = [{instancePath:instancePath+"/why",schemaPath:"#/properties/why/type",keyword:"type",params:{type: schema23.properties.why.type},message:"must be object,null",schema:schema23.properties.why.type,parentSchema:schema23.properties.why,data:data7}];
return false;
}
if(errors === _errs16){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing1;
if(((data7.code === undefined) && (missing1 = "code")) || ((data7.what === undefined) && (missing1 = "what"))){
validate59.errors = [{instancePath:instancePath+"/why",schemaPath:"#/properties/why/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema23.properties.why.required,parentSchema:schema23.properties.why,data:data7}];
return false;
}
else {
const _errs18 = errors;
for(const key1 in data7){
if(!((((key1 === "code") || (key1 === "what")) || (key1 === "question")) || (key1 === "answer"))){
validate59.errors = [{instancePath:instancePath+"/why",schemaPath:"#/properties/why/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema23.properties.why,data:data7}];
return false;
break;
}
}
if(_errs18 === errors){
if(data7.code !== undefined){
let data8 = data7.code;
const _errs19 = errors;
if(typeof data8 !== "string"){
validate59.errors = [{instancePath:instancePath+"/why/code",schemaPath:"#/properties/why/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.properties.why.properties.code.type,parentSchema:schema23.properties.why.properties.code,data:data8}];
return false;
}
var valid1 = _errs19 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data7.what !== undefined){
let data9 = data7.what;
const _errs21 = errors;
if(typeof data9 !== "string"){
validate59.errors = [{instancePath:instancePath+"/why/what",schemaPath:"#/properties/why/properties/what/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.properties.why.properties.what.type,parentSchema:schema23.properties.why.properties.what,data:data9}];
return false;
}
var valid1 = _errs21 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data7.question !== undefined){
let data10 = data7.question;
const _errs23 = errors;
if(typeof data10 !== "string"){
validate59.errors = [{instancePath:instancePath+"/why/question",schemaPath:"#/properties/why/properties/question/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.properties.why.properties.question.type,parentSchema:schema23.properties.why.properties.question,data:data10}];
return false;
}
var valid1 = _errs23 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data7.answer !== undefined){
let data11 = data7.answer;
const _errs25 = errors;
if((typeof data11 !== "string") && (!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11))))){
validate59.errors = [{instancePath:instancePath+"/why/answer",schemaPath:"#/properties/why/properties/answer/type",keyword:"type",params:{type: schema23.properties.why.properties.answer.type},message:"must be string,integer",schema:schema23.properties.why.properties.answer.type,parentSchema:schema23.properties.why.properties.answer,data:data11}];
return false;
}
var valid1 = _errs25 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.request !== undefined){
let data12 = data.request;
const _errs27 = errors;
if(errors === _errs27){
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
let missing2;
if((((data12.headers === undefined) && (missing2 = "headers")) || ((data12.body === undefined) && (missing2 = "body"))) || ((data12.body_cut === undefined) && (missing2 = "body_cut"))){
validate59.errors = [{instancePath:instancePath+"/request",schemaPath:"#/properties/request/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'",schema:schema23.properties.request.required,parentSchema:schema23.properties.request,data:data12}];
return false;
}
else {
const _errs29 = errors;
for(const key2 in data12){
if(!(((key2 === "headers") || (key2 === "body")) || (key2 === "body_cut"))){
validate59.errors = [{instancePath:instancePath+"/request",schemaPath:"#/properties/request/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema23.properties.request,data:data12}];
return false;
break;
}
}
if(_errs29 === errors){
if(data12.headers !== undefined){
let data13 = data12.headers;
const _errs30 = errors;
if(errors === _errs30){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
for(const key3 in data13){
let data14 = data13[key3];
const _errs33 = errors;
if(typeof data14 !== "string"){
validate59.errors = [{instancePath:instancePath+"/request/headers/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/request/properties/headers/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.properties.request.properties.headers.additionalProperties.type,parentSchema:schema23.properties.request.properties.headers.additionalProperties,data:data14}];
return false;
}
var valid3 = _errs33 === errors;
if(!valid3){
break;
}
}
}
else {
validate59.errors = [{instancePath:instancePath+"/request/headers",schemaPath:"#/properties/request/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema23.properties.request.properties.headers.type,parentSchema:schema23.properties.request.properties.headers,data:data13}];
return false;
}
}
var valid2 = _errs30 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data12.body !== undefined){
let data15 = data12.body;
const _errs35 = errors;
if((typeof data15 !== "string") && (data15 !== null)){
validate59.errors = [{instancePath:instancePath+"/request/body",schemaPath:"#/properties/request/properties/body/type",keyword:"type",params:{type: schema23.properties.request.properties.body.type},message:"must be string,null",schema:schema23.properties.request.properties.body.type,parentSchema:schema23.properties.request.properties.body,data:data15}];
return false;
}
var valid2 = _errs35 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data12.body_cut !== undefined){
let data16 = data12.body_cut;
const _errs37 = errors;
if(typeof data16 !== "boolean"){
validate59.errors = [{instancePath:instancePath+"/request/body_cut",schemaPath:"#/properties/request/properties/body_cut/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema23.properties.request.properties.body_cut.type,parentSchema:schema23.properties.request.properties.body_cut,data:data16}];
return false;
}
var valid2 = _errs37 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
else {
validate59.errors = [{instancePath:instancePath+"/request",schemaPath:"#/properties/request/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema23.properties.request.type,parentSchema:schema23.properties.request,data:data12}];
return false;
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.response !== undefined){
let data17 = data.response;
const _errs39 = errors;
if(errors === _errs39){
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
let missing3;
if((((data17.headers === undefined) && (missing3 = "headers")) || ((data17.body === undefined) && (missing3 = "body"))) || ((data17.body_cut === undefined) && (missing3 = "body_cut"))){
validate59.errors = [{instancePath:instancePath+"/response",schemaPath:"#/properties/response/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'",schema:schema23.properties.response.required,parentSchema:schema23.properties.response,data:data17}];
return false;
}
else {
const _errs41 = errors;
for(const key4 in data17){
if(!(((key4 === "headers") || (key4 === "body")) || (key4 === "body_cut"))){
validate59.errors = [{instancePath:instancePath+"/response",schemaPath:"#/properties/response/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema23.properties.response,data:data17}];
return false;
break;
}
}
if(_errs41 === errors){
if(data17.headers !== undefined){
let data18 = data17.headers;
const _errs42 = errors;
if(errors === _errs42){
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
for(const key5 in data18){
let data19 = data18[key5];
const _errs45 = errors;
if(typeof data19 !== "string"){
validate59.errors = [{instancePath:instancePath+"/response/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/response/properties/headers/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.properties.response.properties.headers.additionalProperties.type,parentSchema:schema23.properties.response.properties.headers.additionalProperties,data:data19}];
return false;
}
var valid5 = _errs45 === errors;
if(!valid5){
break;
}
}
}
else {
validate59.errors = [{instancePath:instancePath+"/response/headers",schemaPath:"#/properties/response/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema23.properties.response.properties.headers.type,parentSchema:schema23.properties.response.properties.headers,data:data18}];
return false;
}
}
var valid4 = _errs42 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data17.body !== undefined){
let data20 = data17.body;
const _errs47 = errors;
if((typeof data20 !== "string") && (data20 !== null)){
validate59.errors = [{instancePath:instancePath+"/response/body",schemaPath:"#/properties/response/properties/body/type",keyword:"type",params:{type: schema23.properties.response.properties.body.type},message:"must be string,null",schema:schema23.properties.response.properties.body.type,parentSchema:schema23.properties.response.properties.body,data:data20}];
return false;
}
var valid4 = _errs47 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data17.body_cut !== undefined){
let data21 = data17.body_cut;
const _errs49 = errors;
if(typeof data21 !== "boolean"){
validate59.errors = [{instancePath:instancePath+"/response/body_cut",schemaPath:"#/properties/response/properties/body_cut/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema23.properties.response.properties.body_cut.type,parentSchema:schema23.properties.response.properties.body_cut,data:data21}];
return false;
}
var valid4 = _errs49 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
else {
validate59.errors = [{instancePath:instancePath+"/response",schemaPath:"#/properties/response/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema23.properties.response.type,parentSchema:schema23.properties.response,data:data17}];
return false;
}
}
var valid0 = _errs39 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate59.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema23.type,parentSchema:schema23,data}];
return false;
}
}
validate59.errors = vErrors;
return errors === 0;
}
validate59.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema24 = {"type":"object","additionalProperties":false,"properties":{"operation":{"type":"string"},"method":{"type":"string","pattern":"^[A-Za-z]{1,20}$"},"path":{"type":"string","pattern":"^/","maxLength":2000},"to":{"type":"string"},"nth":{"type":"integer","minimum":1,"maximum":999999999},"status":{"type":"integer","minimum":200,"maximum":599},"fault":{"type":"string","enum":["EMPTY_RESPONSE","CONNECTION_RESET_BY_PEER","MALFORMED_RESPONSE_CHUNK","RANDOM_DATA_THEN_CLOSE"]},"delay_ms":{"type":["integer","object"],"minimum":0,"maximum":60000,"additionalProperties":false,"required":["min","max"],"properties":{"min":{"type":"integer","minimum":0,"maximum":60000},"max":{"type":"integer","minimum":0,"maximum":60000}}},"body":{},"take_effect":{"type":"boolean"},"retry_after":{"type":["integer","string"],"minimum":0,"maximum":999999999,"minLength":1,"maxLength":100,"pattern":"^[ -~]+$"},"times":{"type":"integer","minimum":1,"maximum":999999999},"seen":{"type":"integer","minimum":0,"maximum":999999999999999},"matched":{"type":"integer","minimum":0,"maximum":999999999999999},"left":{"type":["integer","null"],"minimum":0}}};
const pattern9 = new RegExp("^[A-Za-z]{1,20}$", "u");
const pattern10 = new RegExp("^/", "u");
const pattern11 = new RegExp("^[ -~]+$", "u");

function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate61.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func1.call(schema24.properties, key0))){
validate61.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema24,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.operation !== undefined){
let data0 = data.operation;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate61.errors = [{instancePath:instancePath+"/operation",schemaPath:"#/properties/operation/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.operation.type,parentSchema:schema24.properties.operation,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.method !== undefined){
let data1 = data.method;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(!pattern9.test(data1)){
validate61.errors = [{instancePath:instancePath+"/method",schemaPath:"#/properties/method/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z]{1,20}$"},message:"must match pattern \""+"^[A-Za-z]{1,20}$"+"\"",schema:"^[A-Za-z]{1,20}$",parentSchema:schema24.properties.method,data:data1}];
return false;
}
}
else {
validate61.errors = [{instancePath:instancePath+"/method",schemaPath:"#/properties/method/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.method.type,parentSchema:schema24.properties.method,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.path !== undefined){
let data2 = data.path;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(func2(data2) > 2000){
validate61.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema24.properties.path,data:data2}];
return false;
}
else {
if(!pattern10.test(data2)){
validate61.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/pattern",keyword:"pattern",params:{pattern: "^/"},message:"must match pattern \""+"^/"+"\"",schema:"^/",parentSchema:schema24.properties.path,data:data2}];
return false;
}
}
}
else {
validate61.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.path.type,parentSchema:schema24.properties.path,data:data2}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data3 = data.to;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate61.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.to.type,parentSchema:schema24.properties.to,data:data3}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nth !== undefined){
let data4 = data.nth;
const _errs10 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate61.errors = [{instancePath:instancePath+"/nth",schemaPath:"#/properties/nth/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.nth.type,parentSchema:schema24.properties.nth,data:data4}];
return false;
}
if(errors === _errs10){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 999999999 || isNaN(data4)){
validate61.errors = [{instancePath:instancePath+"/nth",schemaPath:"#/properties/nth/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999},message:"must be <= 999999999",schema:999999999,parentSchema:schema24.properties.nth,data:data4}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate61.errors = [{instancePath:instancePath+"/nth",schemaPath:"#/properties/nth/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema24.properties.nth,data:data4}];
return false;
}
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data5 = data.status;
const _errs12 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate61.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.status.type,parentSchema:schema24.properties.status,data:data5}];
return false;
}
if(errors === _errs12){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 599 || isNaN(data5)){
validate61.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/maximum",keyword:"maximum",params:{comparison: "<=", limit: 599},message:"must be <= 599",schema:599,parentSchema:schema24.properties.status,data:data5}];
return false;
}
else {
if(data5 < 200 || isNaN(data5)){
validate61.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/minimum",keyword:"minimum",params:{comparison: ">=", limit: 200},message:"must be >= 200",schema:200,parentSchema:schema24.properties.status,data:data5}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fault !== undefined){
let data6 = data.fault;
const _errs14 = errors;
if(typeof data6 !== "string"){
validate61.errors = [{instancePath:instancePath+"/fault",schemaPath:"#/properties/fault/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.fault.type,parentSchema:schema24.properties.fault,data:data6}];
return false;
}
if(!((((data6 === "EMPTY_RESPONSE") || (data6 === "CONNECTION_RESET_BY_PEER")) || (data6 === "MALFORMED_RESPONSE_CHUNK")) || (data6 === "RANDOM_DATA_THEN_CLOSE"))){
validate61.errors = [{instancePath:instancePath+"/fault",schemaPath:"#/properties/fault/enum",keyword:"enum",params:{allowedValues: schema24.properties.fault.enum},message:"must be equal to one of the allowed values",schema:schema24.properties.fault.enum,parentSchema:schema24.properties.fault,data:data6}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delay_ms !== undefined){
let data7 = data.delay_ms;
const _errs16 = errors;
if((!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))) && (!(data7 && typeof data7 == "object" && !Array.isArray(data7)))){
validate61.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/type",keyword:"type",params:{type: schema24.properties.delay_ms.type},message:"must be integer,object",schema:schema24.properties.delay_ms.type,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
}
if(errors === _errs16){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 60000 || isNaN(data7)){
validate61.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000",schema:60000,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
}
else {
if(data7 < 0 || isNaN(data7)){
validate61.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
}
}
}
if(errors === _errs16){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing0;
if(((data7.min === undefined) && (missing0 = "min")) || ((data7.max === undefined) && (missing0 = "max"))){
validate61.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema24.properties.delay_ms.required,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
}
else {
const _errs18 = errors;
for(const key1 in data7){
if(!((key1 === "min") || (key1 === "max"))){
validate61.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
break;
}
}
if(_errs18 === errors){
if(data7.min !== undefined){
let data8 = data7.min;
const _errs19 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate61.errors = [{instancePath:instancePath+"/delay_ms/min",schemaPath:"#/properties/delay_ms/properties/min/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.delay_ms.properties.min.type,parentSchema:schema24.properties.delay_ms.properties.min,data:data8}];
return false;
}
if(errors === _errs19){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 60000 || isNaN(data8)){
validate61.errors = [{instancePath:instancePath+"/delay_ms/min",schemaPath:"#/properties/delay_ms/properties/min/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000",schema:60000,parentSchema:schema24.properties.delay_ms.properties.min,data:data8}];
return false;
}
else {
if(data8 < 0 || isNaN(data8)){
validate61.errors = [{instancePath:instancePath+"/delay_ms/min",schemaPath:"#/properties/delay_ms/properties/min/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.delay_ms.properties.min,data:data8}];
return false;
}
}
}
}
var valid1 = _errs19 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data7.max !== undefined){
let data9 = data7.max;
const _errs21 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate61.errors = [{instancePath:instancePath+"/delay_ms/max",schemaPath:"#/properties/delay_ms/properties/max/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.delay_ms.properties.max.type,parentSchema:schema24.properties.delay_ms.properties.max,data:data9}];
return false;
}
if(errors === _errs21){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 60000 || isNaN(data9)){
validate61.errors = [{instancePath:instancePath+"/delay_ms/max",schemaPath:"#/properties/delay_ms/properties/max/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000",schema:60000,parentSchema:schema24.properties.delay_ms.properties.max,data:data9}];
return false;
}
else {
if(data9 < 0 || isNaN(data9)){
validate61.errors = [{instancePath:instancePath+"/delay_ms/max",schemaPath:"#/properties/delay_ms/properties/max/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.delay_ms.properties.max,data:data9}];
return false;
}
}
}
}
var valid1 = _errs21 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.take_effect !== undefined){
let data10 = data.take_effect;
const _errs23 = errors;
if(typeof data10 !== "boolean"){
validate61.errors = [{instancePath:instancePath+"/take_effect",schemaPath:"#/properties/take_effect/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema24.properties.take_effect.type,parentSchema:schema24.properties.take_effect,data:data10}];
return false;
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.retry_after !== undefined){
let data11 = data.retry_after;
const _errs25 = errors;
if((!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))) && (typeof data11 !== "string")){
validate61.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/type",keyword:"type",params:{type: schema24.properties.retry_after.type},message:"must be integer,string",schema:schema24.properties.retry_after.type,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
if(errors === _errs25){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 999999999 || isNaN(data11)){
validate61.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999},message:"must be <= 999999999",schema:999999999,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
else {
if(data11 < 0 || isNaN(data11)){
validate61.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
}
}
if(errors === _errs25){
if(typeof data11 === "string"){
if(func2(data11) > 100){
validate61.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters",schema:100,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
else {
if(func2(data11) < 1){
validate61.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
else {
if(!pattern11.test(data11)){
validate61.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/pattern",keyword:"pattern",params:{pattern: "^[ -~]+$"},message:"must match pattern \""+"^[ -~]+$"+"\"",schema:"^[ -~]+$",parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
}
}
}
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.times !== undefined){
let data12 = data.times;
const _errs27 = errors;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
validate61.errors = [{instancePath:instancePath+"/times",schemaPath:"#/properties/times/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.times.type,parentSchema:schema24.properties.times,data:data12}];
return false;
}
if(errors === _errs27){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 999999999 || isNaN(data12)){
validate61.errors = [{instancePath:instancePath+"/times",schemaPath:"#/properties/times/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999},message:"must be <= 999999999",schema:999999999,parentSchema:schema24.properties.times,data:data12}];
return false;
}
else {
if(data12 < 1 || isNaN(data12)){
validate61.errors = [{instancePath:instancePath+"/times",schemaPath:"#/properties/times/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema24.properties.times,data:data12}];
return false;
}
}
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seen !== undefined){
let data13 = data.seen;
const _errs29 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
validate61.errors = [{instancePath:instancePath+"/seen",schemaPath:"#/properties/seen/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.seen.type,parentSchema:schema24.properties.seen,data:data13}];
return false;
}
if(errors === _errs29){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 999999999999999 || isNaN(data13)){
validate61.errors = [{instancePath:instancePath+"/seen",schemaPath:"#/properties/seen/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999999999},message:"must be <= 999999999999999",schema:999999999999999,parentSchema:schema24.properties.seen,data:data13}];
return false;
}
else {
if(data13 < 0 || isNaN(data13)){
validate61.errors = [{instancePath:instancePath+"/seen",schemaPath:"#/properties/seen/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.seen,data:data13}];
return false;
}
}
}
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.matched !== undefined){
let data14 = data.matched;
const _errs31 = errors;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
validate61.errors = [{instancePath:instancePath+"/matched",schemaPath:"#/properties/matched/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.matched.type,parentSchema:schema24.properties.matched,data:data14}];
return false;
}
if(errors === _errs31){
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 999999999999999 || isNaN(data14)){
validate61.errors = [{instancePath:instancePath+"/matched",schemaPath:"#/properties/matched/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999999999},message:"must be <= 999999999999999",schema:999999999999999,parentSchema:schema24.properties.matched,data:data14}];
return false;
}
else {
if(data14 < 0 || isNaN(data14)){
validate61.errors = [{instancePath:instancePath+"/matched",schemaPath:"#/properties/matched/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.matched,data:data14}];
return false;
}
}
}
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.left !== undefined){
let data15 = data.left;
const _errs33 = errors;
if((!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))) && (data15 !== null)){
validate61.errors = [{instancePath:instancePath+"/left",schemaPath:"#/properties/left/type",keyword:"type",params:{type: schema24.properties.left.type},message:"must be integer,null",schema:schema24.properties.left.type,parentSchema:schema24.properties.left,data:data15}];
return false;
}
if(errors === _errs33){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 < 0 || isNaN(data15)){
validate61.errors = [{instancePath:instancePath+"/left",schemaPath:"#/properties/left/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.left,data:data15}];
return false;
}
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate61.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema24.type,parentSchema:schema24,data}];
return false;
}
}
validate61.errors = vErrors;
return errors === 0;
}
validate61.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema25 = {"type":"object","additionalProperties":false,"properties":{"now":{"type":"string"},"frozen":{"type":"boolean"},"offset_ms":{"type":"number"}}};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "now") || (key0 === "frozen")) || (key0 === "offset_ms"))){
validate63.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema25,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.now !== undefined){
let data0 = data.now;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate63.errors = [{instancePath:instancePath+"/now",schemaPath:"#/properties/now/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema25.properties.now.type,parentSchema:schema25.properties.now,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.frozen !== undefined){
let data1 = data.frozen;
const _errs4 = errors;
if(typeof data1 !== "boolean"){
validate63.errors = [{instancePath:instancePath+"/frozen",schemaPath:"#/properties/frozen/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema25.properties.frozen.type,parentSchema:schema25.properties.frozen,data:data1}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.offset_ms !== undefined){
let data2 = data.offset_ms;
const _errs6 = errors;
if(!((typeof data2 == "number") && (isFinite(data2)))){
validate63.errors = [{instancePath:instancePath+"/offset_ms",schemaPath:"#/properties/offset_ms/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema25.properties.offset_ms.type,parentSchema:schema25.properties.offset_ms,data:data2}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate63.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema25.type,parentSchema:schema25,data}];
return false;
}
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema26 = {"type":"object","additionalProperties":{"type":["string","integer"]}};

function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate65.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
let data0 = data[key0];
const _errs2 = errors;
if((typeof data0 !== "string") && (!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0))))){
validate65.errors = [{instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/additionalProperties/type",keyword:"type",params:{type: schema26.additionalProperties.type},message:"must be string,integer",schema:schema26.additionalProperties.type,parentSchema:schema26.additionalProperties,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
if(!valid0){
break;
}
}
}
else {
validate65.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema26.type,parentSchema:schema26,data}];
return false;
}
}
validate65.errors = vErrors;
return errors === 0;
}
validate65.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema27 = {"type":"object","additionalProperties":false,"properties":{"leads":{"type":"integer","minimum":0,"maximum":999999999999999},"templates":{"type":"integer","minimum":0,"maximum":999999999999999},"messages":{"type":"integer","minimum":0,"maximum":999999999999999},"requests":{"type":"integer","minimum":0,"maximum":999999999999999}}};

function validate67(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate67.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "leads") || (key0 === "templates")) || (key0 === "messages")) || (key0 === "requests"))){
validate67.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema27,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.leads !== undefined){
let data0 = data.leads;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate67.errors = [{instancePath:instancePath+"/leads",schemaPath:"#/properties/leads/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema27.properties.leads.type,parentSchema:schema27.properties.leads,data:data0}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 999999999999999 || isNaN(data0)){
validate67.errors = [{instancePath:instancePath+"/leads",schemaPath:"#/properties/leads/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999999999},message:"must be <= 999999999999999",schema:999999999999999,parentSchema:schema27.properties.leads,data:data0}];
return false;
}
else {
if(data0 < 0 || isNaN(data0)){
validate67.errors = [{instancePath:instancePath+"/leads",schemaPath:"#/properties/leads/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema27.properties.leads,data:data0}];
return false;
}
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.templates !== undefined){
let data1 = data.templates;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate67.errors = [{instancePath:instancePath+"/templates",schemaPath:"#/properties/templates/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema27.properties.templates.type,parentSchema:schema27.properties.templates,data:data1}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 999999999999999 || isNaN(data1)){
validate67.errors = [{instancePath:instancePath+"/templates",schemaPath:"#/properties/templates/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999999999},message:"must be <= 999999999999999",schema:999999999999999,parentSchema:schema27.properties.templates,data:data1}];
return false;
}
else {
if(data1 < 0 || isNaN(data1)){
validate67.errors = [{instancePath:instancePath+"/templates",schemaPath:"#/properties/templates/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema27.properties.templates,data:data1}];
return false;
}
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messages !== undefined){
let data2 = data.messages;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate67.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema27.properties.messages.type,parentSchema:schema27.properties.messages,data:data2}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 999999999999999 || isNaN(data2)){
validate67.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999999999},message:"must be <= 999999999999999",schema:999999999999999,parentSchema:schema27.properties.messages,data:data2}];
return false;
}
else {
if(data2 < 0 || isNaN(data2)){
validate67.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema27.properties.messages,data:data2}];
return false;
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requests !== undefined){
let data3 = data.requests;
const _errs8 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate67.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema27.properties.requests.type,parentSchema:schema27.properties.requests,data:data3}];
return false;
}
if(errors === _errs8){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 999999999999999 || isNaN(data3)){
validate67.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999999999},message:"must be <= 999999999999999",schema:999999999999999,parentSchema:schema27.properties.requests,data:data3}];
return false;
}
else {
if(data3 < 0 || isNaN(data3)){
validate67.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema27.properties.requests,data:data3}];
return false;
}
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate67.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema27.type,parentSchema:schema27,data}];
return false;
}
}
validate67.errors = vErrors;
return errors === 0;
}
validate67.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate52.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func1.call(schema19.properties, key0))){
validate52.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema19,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.$schema !== undefined){
let data0 = data.$schema;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate52.errors = [{instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema19.properties.$schema.type,parentSchema:schema19.properties.$schema,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.leads !== undefined){
let data1 = data.leads;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data1)){
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate53(data1[i0], {instancePath:instancePath+"/leads/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
else {
validate52.errors = [{instancePath:instancePath+"/leads",schemaPath:"#/properties/leads/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema19.properties.leads.type,parentSchema:schema19.properties.leads,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.templates !== undefined){
let data3 = data.templates;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data3)){
var valid2 = true;
const len1 = data3.length;
for(let i1=0; i1<len1; i1++){
const _errs9 = errors;
if(!(validate55(data3[i1], {instancePath:instancePath+"/templates/" + i1,parentData:data3,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
else {
validate52.errors = [{instancePath:instancePath+"/templates",schemaPath:"#/properties/templates/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema19.properties.templates.type,parentSchema:schema19.properties.templates,data:data3}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.outbox !== undefined){
let data5 = data.outbox;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data5)){
var valid3 = true;
const len2 = data5.length;
for(let i2=0; i2<len2; i2++){
const _errs12 = errors;
if(!(validate57(data5[i2], {instancePath:instancePath+"/outbox/" + i2,parentData:data5,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
var valid3 = _errs12 === errors;
if(!valid3){
break;
}
}
}
else {
validate52.errors = [{instancePath:instancePath+"/outbox",schemaPath:"#/properties/outbox/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema19.properties.outbox.type,parentSchema:schema19.properties.outbox,data:data5}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requests !== undefined){
let data7 = data.requests;
const _errs13 = errors;
if(errors === _errs13){
if(Array.isArray(data7)){
var valid4 = true;
const len3 = data7.length;
for(let i3=0; i3<len3; i3++){
const _errs15 = errors;
if(!(validate59(data7[i3], {instancePath:instancePath+"/requests/" + i3,parentData:data7,parentDataProperty:i3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid4 = _errs15 === errors;
if(!valid4){
break;
}
}
}
else {
validate52.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema19.properties.requests.type,parentSchema:schema19.properties.requests,data:data7}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.faults !== undefined){
let data9 = data.faults;
const _errs16 = errors;
if(errors === _errs16){
if(Array.isArray(data9)){
var valid5 = true;
const len4 = data9.length;
for(let i4=0; i4<len4; i4++){
const _errs18 = errors;
if(!(validate61(data9[i4], {instancePath:instancePath+"/faults/" + i4,parentData:data9,parentDataProperty:i4,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
var valid5 = _errs18 === errors;
if(!valid5){
break;
}
}
}
else {
validate52.errors = [{instancePath:instancePath+"/faults",schemaPath:"#/properties/faults/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema19.properties.faults.type,parentSchema:schema19.properties.faults,data:data9}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.clock !== undefined){
const _errs19 = errors;
if(!(validate63(data.clock, {instancePath:instancePath+"/clock",parentData:data,parentDataProperty:"clock",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.answers !== undefined){
const _errs20 = errors;
if(!(validate65(data.answers, {instancePath:instancePath+"/answers",parentData:data,parentDataProperty:"answers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.counters !== undefined){
const _errs21 = errors;
if(!(validate67(data.counters, {instancePath:instancePath+"/counters",parentData:data,parentDataProperty:"counters",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate52.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema19.type,parentSchema:schema19,data}];
return false;
}
}
validate52.errors = vErrors;
return errors === 0;
}
validate52.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const faultRules = validate69;
const schema28 = {"type":"array","maxItems":1000,"items":{"$ref":"stateRule#/$defs/FaultRule"}};

function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate70.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func1.call(schema24.properties, key0))){
validate70.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema24,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.operation !== undefined){
let data0 = data.operation;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate70.errors = [{instancePath:instancePath+"/operation",schemaPath:"#/properties/operation/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.operation.type,parentSchema:schema24.properties.operation,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.method !== undefined){
let data1 = data.method;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(!pattern9.test(data1)){
validate70.errors = [{instancePath:instancePath+"/method",schemaPath:"#/properties/method/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z]{1,20}$"},message:"must match pattern \""+"^[A-Za-z]{1,20}$"+"\"",schema:"^[A-Za-z]{1,20}$",parentSchema:schema24.properties.method,data:data1}];
return false;
}
}
else {
validate70.errors = [{instancePath:instancePath+"/method",schemaPath:"#/properties/method/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.method.type,parentSchema:schema24.properties.method,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.path !== undefined){
let data2 = data.path;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(func2(data2) > 2000){
validate70.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema24.properties.path,data:data2}];
return false;
}
else {
if(!pattern10.test(data2)){
validate70.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/pattern",keyword:"pattern",params:{pattern: "^/"},message:"must match pattern \""+"^/"+"\"",schema:"^/",parentSchema:schema24.properties.path,data:data2}];
return false;
}
}
}
else {
validate70.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.path.type,parentSchema:schema24.properties.path,data:data2}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.to !== undefined){
let data3 = data.to;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate70.errors = [{instancePath:instancePath+"/to",schemaPath:"#/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.to.type,parentSchema:schema24.properties.to,data:data3}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nth !== undefined){
let data4 = data.nth;
const _errs10 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate70.errors = [{instancePath:instancePath+"/nth",schemaPath:"#/properties/nth/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.nth.type,parentSchema:schema24.properties.nth,data:data4}];
return false;
}
if(errors === _errs10){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 999999999 || isNaN(data4)){
validate70.errors = [{instancePath:instancePath+"/nth",schemaPath:"#/properties/nth/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999},message:"must be <= 999999999",schema:999999999,parentSchema:schema24.properties.nth,data:data4}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate70.errors = [{instancePath:instancePath+"/nth",schemaPath:"#/properties/nth/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema24.properties.nth,data:data4}];
return false;
}
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data5 = data.status;
const _errs12 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate70.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.status.type,parentSchema:schema24.properties.status,data:data5}];
return false;
}
if(errors === _errs12){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 599 || isNaN(data5)){
validate70.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/maximum",keyword:"maximum",params:{comparison: "<=", limit: 599},message:"must be <= 599",schema:599,parentSchema:schema24.properties.status,data:data5}];
return false;
}
else {
if(data5 < 200 || isNaN(data5)){
validate70.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/minimum",keyword:"minimum",params:{comparison: ">=", limit: 200},message:"must be >= 200",schema:200,parentSchema:schema24.properties.status,data:data5}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fault !== undefined){
let data6 = data.fault;
const _errs14 = errors;
if(typeof data6 !== "string"){
validate70.errors = [{instancePath:instancePath+"/fault",schemaPath:"#/properties/fault/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.fault.type,parentSchema:schema24.properties.fault,data:data6}];
return false;
}
if(!((((data6 === "EMPTY_RESPONSE") || (data6 === "CONNECTION_RESET_BY_PEER")) || (data6 === "MALFORMED_RESPONSE_CHUNK")) || (data6 === "RANDOM_DATA_THEN_CLOSE"))){
validate70.errors = [{instancePath:instancePath+"/fault",schemaPath:"#/properties/fault/enum",keyword:"enum",params:{allowedValues: schema24.properties.fault.enum},message:"must be equal to one of the allowed values",schema:schema24.properties.fault.enum,parentSchema:schema24.properties.fault,data:data6}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delay_ms !== undefined){
let data7 = data.delay_ms;
const _errs16 = errors;
if((!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))) && (!(data7 && typeof data7 == "object" && !Array.isArray(data7)))){
validate70.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/type",keyword:"type",params:{type: schema24.properties.delay_ms.type},message:"must be integer,object",schema:schema24.properties.delay_ms.type,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
}
if(errors === _errs16){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 60000 || isNaN(data7)){
validate70.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000",schema:60000,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
}
else {
if(data7 < 0 || isNaN(data7)){
validate70.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
}
}
}
if(errors === _errs16){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing0;
if(((data7.min === undefined) && (missing0 = "min")) || ((data7.max === undefined) && (missing0 = "max"))){
validate70.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema24.properties.delay_ms.required,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
}
else {
const _errs18 = errors;
for(const key1 in data7){
if(!((key1 === "min") || (key1 === "max"))){
validate70.errors = [{instancePath:instancePath+"/delay_ms",schemaPath:"#/properties/delay_ms/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema24.properties.delay_ms,data:data7}];
return false;
break;
}
}
if(_errs18 === errors){
if(data7.min !== undefined){
let data8 = data7.min;
const _errs19 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate70.errors = [{instancePath:instancePath+"/delay_ms/min",schemaPath:"#/properties/delay_ms/properties/min/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.delay_ms.properties.min.type,parentSchema:schema24.properties.delay_ms.properties.min,data:data8}];
return false;
}
if(errors === _errs19){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 60000 || isNaN(data8)){
validate70.errors = [{instancePath:instancePath+"/delay_ms/min",schemaPath:"#/properties/delay_ms/properties/min/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000",schema:60000,parentSchema:schema24.properties.delay_ms.properties.min,data:data8}];
return false;
}
else {
if(data8 < 0 || isNaN(data8)){
validate70.errors = [{instancePath:instancePath+"/delay_ms/min",schemaPath:"#/properties/delay_ms/properties/min/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.delay_ms.properties.min,data:data8}];
return false;
}
}
}
}
var valid1 = _errs19 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data7.max !== undefined){
let data9 = data7.max;
const _errs21 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate70.errors = [{instancePath:instancePath+"/delay_ms/max",schemaPath:"#/properties/delay_ms/properties/max/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.delay_ms.properties.max.type,parentSchema:schema24.properties.delay_ms.properties.max,data:data9}];
return false;
}
if(errors === _errs21){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 60000 || isNaN(data9)){
validate70.errors = [{instancePath:instancePath+"/delay_ms/max",schemaPath:"#/properties/delay_ms/properties/max/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000",schema:60000,parentSchema:schema24.properties.delay_ms.properties.max,data:data9}];
return false;
}
else {
if(data9 < 0 || isNaN(data9)){
validate70.errors = [{instancePath:instancePath+"/delay_ms/max",schemaPath:"#/properties/delay_ms/properties/max/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.delay_ms.properties.max,data:data9}];
return false;
}
}
}
}
var valid1 = _errs21 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.take_effect !== undefined){
let data10 = data.take_effect;
const _errs23 = errors;
if(typeof data10 !== "boolean"){
validate70.errors = [{instancePath:instancePath+"/take_effect",schemaPath:"#/properties/take_effect/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema24.properties.take_effect.type,parentSchema:schema24.properties.take_effect,data:data10}];
return false;
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.retry_after !== undefined){
let data11 = data.retry_after;
const _errs25 = errors;
if((!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))) && (typeof data11 !== "string")){
validate70.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/type",keyword:"type",params:{type: schema24.properties.retry_after.type},message:"must be integer,string",schema:schema24.properties.retry_after.type,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
if(errors === _errs25){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 999999999 || isNaN(data11)){
validate70.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999},message:"must be <= 999999999",schema:999999999,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
else {
if(data11 < 0 || isNaN(data11)){
validate70.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
}
}
if(errors === _errs25){
if(typeof data11 === "string"){
if(func2(data11) > 100){
validate70.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters",schema:100,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
else {
if(func2(data11) < 1){
validate70.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
else {
if(!pattern11.test(data11)){
validate70.errors = [{instancePath:instancePath+"/retry_after",schemaPath:"#/properties/retry_after/pattern",keyword:"pattern",params:{pattern: "^[ -~]+$"},message:"must match pattern \""+"^[ -~]+$"+"\"",schema:"^[ -~]+$",parentSchema:schema24.properties.retry_after,data:data11}];
return false;
}
}
}
}
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.times !== undefined){
let data12 = data.times;
const _errs27 = errors;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
validate70.errors = [{instancePath:instancePath+"/times",schemaPath:"#/properties/times/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.times.type,parentSchema:schema24.properties.times,data:data12}];
return false;
}
if(errors === _errs27){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 999999999 || isNaN(data12)){
validate70.errors = [{instancePath:instancePath+"/times",schemaPath:"#/properties/times/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999},message:"must be <= 999999999",schema:999999999,parentSchema:schema24.properties.times,data:data12}];
return false;
}
else {
if(data12 < 1 || isNaN(data12)){
validate70.errors = [{instancePath:instancePath+"/times",schemaPath:"#/properties/times/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema24.properties.times,data:data12}];
return false;
}
}
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seen !== undefined){
let data13 = data.seen;
const _errs29 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
validate70.errors = [{instancePath:instancePath+"/seen",schemaPath:"#/properties/seen/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.seen.type,parentSchema:schema24.properties.seen,data:data13}];
return false;
}
if(errors === _errs29){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 999999999999999 || isNaN(data13)){
validate70.errors = [{instancePath:instancePath+"/seen",schemaPath:"#/properties/seen/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999999999},message:"must be <= 999999999999999",schema:999999999999999,parentSchema:schema24.properties.seen,data:data13}];
return false;
}
else {
if(data13 < 0 || isNaN(data13)){
validate70.errors = [{instancePath:instancePath+"/seen",schemaPath:"#/properties/seen/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.seen,data:data13}];
return false;
}
}
}
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.matched !== undefined){
let data14 = data.matched;
const _errs31 = errors;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
validate70.errors = [{instancePath:instancePath+"/matched",schemaPath:"#/properties/matched/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema24.properties.matched.type,parentSchema:schema24.properties.matched,data:data14}];
return false;
}
if(errors === _errs31){
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 999999999999999 || isNaN(data14)){
validate70.errors = [{instancePath:instancePath+"/matched",schemaPath:"#/properties/matched/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999999999},message:"must be <= 999999999999999",schema:999999999999999,parentSchema:schema24.properties.matched,data:data14}];
return false;
}
else {
if(data14 < 0 || isNaN(data14)){
validate70.errors = [{instancePath:instancePath+"/matched",schemaPath:"#/properties/matched/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.matched,data:data14}];
return false;
}
}
}
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.left !== undefined){
let data15 = data.left;
const _errs33 = errors;
if((!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))) && (data15 !== null)){
validate70.errors = [{instancePath:instancePath+"/left",schemaPath:"#/properties/left/type",keyword:"type",params:{type: schema24.properties.left.type},message:"must be integer,null",schema:schema24.properties.left.type,parentSchema:schema24.properties.left,data:data15}];
return false;
}
if(errors === _errs33){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 < 0 || isNaN(data15)){
validate70.errors = [{instancePath:instancePath+"/left",schemaPath:"#/properties/left/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema24.properties.left,data:data15}];
return false;
}
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate70.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema24.type,parentSchema:schema24,data}];
return false;
}
}
validate70.errors = vErrors;
return errors === 0;
}
validate70.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate69.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 1000){
validate69.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema28,data}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate70(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
else {
validate69.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema28.type,parentSchema:schema28,data}];
return false;
}
}
validate69.errors = vErrors;
return errors === 0;
}
validate69.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

