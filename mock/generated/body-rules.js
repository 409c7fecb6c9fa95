// @ts-nocheck
// Made from openapi.yaml by `npm run generate`. Do not edit.
import module0 from 'ajv/dist/runtime/ucs2length.js';

export const sendEmail = validate20;
const schema31 = {"allOf":[{"type":"object"},{"required":["subject","from","html"]},{"properties":{"subject":{"type":"string"},"from":{"type":"string"},"to":{"type":"string"},"html":{"type":"string"}}},{"properties":{"subject":true,"from":true,"to":true,"html":true},"additionalProperties":true},{"properties":{"subject":{},"from":{"format":"email"},"to":{"format":"email"},"html":{}}},{"properties":{"subject":{},"from":{},"to":{},"html":{}}}]};
const formats0 = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate20.errors = [{instancePath,schemaPath:"#/allOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.subject === undefined) && (missing0 = "subject")) || ((data.from === undefined) && (missing0 = "from"))) || ((data.html === undefined) && (missing0 = "html"))){
validate20.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
}
var valid0 = _errs2 === errors;
if(valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.subject !== undefined){
const _errs4 = errors;
if(typeof data.subject !== "string"){
validate20.errors = [{instancePath:instancePath+"/subject",schemaPath:"#/allOf/2/properties/subject/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.from !== undefined){
const _errs6 = errors;
if(typeof data.from !== "string"){
validate20.errors = [{instancePath:instancePath+"/from",schemaPath:"#/allOf/2/properties/from/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.to !== undefined){
const _errs8 = errors;
if(typeof data.to !== "string"){
validate20.errors = [{instancePath:instancePath+"/to",schemaPath:"#/allOf/2/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.html !== undefined){
const _errs10 = errors;
if(typeof data.html !== "string"){
validate20.errors = [{instancePath:instancePath+"/html",schemaPath:"#/allOf/2/properties/html/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
var valid0 = _errs3 === errors;
if(valid0){
const _errs12 = errors;
var valid0 = _errs12 === errors;
if(valid0){
const _errs14 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.from !== undefined){
let data4 = data.from;
const _errs15 = errors;
if(errors === _errs15){
if(typeof data4 === "string"){
if(!(formats0.test(data4))){
validate20.errors = [{instancePath:instancePath+"/from",schemaPath:"#/allOf/4/properties/from/format",keyword:"format",params:{format: "email"},message:"must match format \""+"email"+"\""}];
return false;
}
}
}
var valid2 = _errs15 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.to !== undefined){
let data5 = data.to;
const _errs16 = errors;
if(errors === _errs16){
if(typeof data5 === "string"){
if(!(formats0.test(data5))){
validate20.errors = [{instancePath:instancePath+"/to",schemaPath:"#/allOf/4/properties/to/format",keyword:"format",params:{format: "email"},message:"must match format \""+"email"+"\""}];
return false;
}
}
}
var valid2 = _errs16 === errors;
}
else {
var valid2 = true;
}
}
}
var valid0 = _errs14 === errors;
if(valid0){
const _errs17 = errors;
var valid0 = _errs17 === errors;
}
}
}
}
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const sendTemplateEmail = validate21;
const schema32 = {"allOf":[{"type":"object"},{"required":["template_id","variables"]},{"properties":{"template_id":{"type":"string"},"variables":{"type":"object","additionalProperties":{"type":"string"}},"to":{"type":"string"}}},{"properties":{"template_id":true,"variables":true,"to":true},"additionalProperties":true},{"properties":{"template_id":{},"variables":{},"to":{"format":"email"}}},{"properties":{"template_id":{},"variables":{},"to":{}}}]};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate21.errors = [{instancePath,schemaPath:"#/allOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.template_id === undefined) && (missing0 = "template_id")) || ((data.variables === undefined) && (missing0 = "variables"))){
validate21.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
}
var valid0 = _errs2 === errors;
if(valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.template_id !== undefined){
const _errs4 = errors;
if(typeof data.template_id !== "string"){
validate21.errors = [{instancePath:instancePath+"/template_id",schemaPath:"#/allOf/2/properties/template_id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.variables !== undefined){
let data1 = data.variables;
const _errs6 = errors;
if(errors === _errs6){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key0 in data1){
const _errs9 = errors;
if(typeof data1[key0] !== "string"){
validate21.errors = [{instancePath:instancePath+"/variables/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/allOf/2/properties/variables/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/variables",schemaPath:"#/allOf/2/properties/variables/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.to !== undefined){
const _errs11 = errors;
if(typeof data.to !== "string"){
validate21.errors = [{instancePath:instancePath+"/to",schemaPath:"#/allOf/2/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
}
}
}
var valid0 = _errs3 === errors;
if(valid0){
const _errs13 = errors;
var valid0 = _errs13 === errors;
if(valid0){
const _errs15 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.to !== undefined){
let data4 = data.to;
const _errs16 = errors;
if(errors === _errs16){
if(typeof data4 === "string"){
if(!(formats0.test(data4))){
validate21.errors = [{instancePath:instancePath+"/to",schemaPath:"#/allOf/4/properties/to/format",keyword:"format",params:{format: "email"},message:"must match format \""+"email"+"\""}];
return false;
}
}
}
}
}
var valid0 = _errs15 === errors;
if(valid0){
const _errs17 = errors;
var valid0 = _errs17 === errors;
}
}
}
}
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const addLead = validate22;
const schema33 = {"allOf":[{"type":"object"},{"required":["name"]},{"properties":{"name":{"type":"string"},"source":{"type":"string"},"note":{"type":"string"},"email":{}}},{"properties":{"name":true,"source":true,"note":true,"email":true},"additionalProperties":true},{"properties":{"name":{},"source":{},"note":{},"email":{}}},{"properties":{"name":{"minLength":1},"source":{},"note":{},"email":{}}}]};
const func1 = (module0.default ?? module0);

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate22.errors = [{instancePath,schemaPath:"#/allOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.name === undefined) && (missing0 = "name")){
validate22.errors = [{instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
}
var valid0 = _errs2 === errors;
if(valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name !== undefined){
const _errs4 = errors;
if(typeof data.name !== "string"){
validate22.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/2/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.source !== undefined){
const _errs6 = errors;
if(typeof data.source !== "string"){
validate22.errors = [{instancePath:instancePath+"/source",schemaPath:"#/allOf/2/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.note !== undefined){
const _errs8 = errors;
if(typeof data.note !== "string"){
validate22.errors = [{instancePath:instancePath+"/note",schemaPath:"#/allOf/2/properties/note/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
}
}
}
var valid0 = _errs3 === errors;
if(valid0){
const _errs10 = errors;
var valid0 = _errs10 === errors;
if(valid0){
const _errs12 = errors;
var valid0 = _errs12 === errors;
if(valid0){
const _errs13 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name !== undefined){
let data3 = data.name;
if(typeof data3 === "string"){
if(func1(data3) < 1){
validate22.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/5/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
}
var valid0 = _errs13 === errors;
}
}
}
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const updateLead = validate23;
const schema34 = {"allOf":[{"type":"object"},{},{"properties":{"note":{"type":"string"},"name":{"type":"string"},"source":{"type":"string"},"email":{}}},{"properties":{"note":true,"name":true,"source":true,"email":true},"additionalProperties":true},{"properties":{"note":{},"name":{},"source":{},"email":{}}},{"properties":{"note":{},"name":{"minLength":1},"source":{},"email":{}}}]};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(!(data && typeof data == "object" && !Array.isArray(data))){
validate23.errors = [{instancePath,schemaPath:"#/allOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.note !== undefined){
const _errs3 = errors;
if(typeof data.note !== "string"){
validate23.errors = [{instancePath:instancePath+"/note",schemaPath:"#/allOf/2/properties/note/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs3 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.name !== undefined){
const _errs5 = errors;
if(typeof data.name !== "string"){
validate23.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/2/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data.source !== undefined){
const _errs7 = errors;
if(typeof data.source !== "string"){
validate23.errors = [{instancePath:instancePath+"/source",schemaPath:"#/allOf/2/properties/source/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
}
}
}
var valid0 = _errs2 === errors;
if(valid0){
const _errs9 = errors;
var valid0 = _errs9 === errors;
if(valid0){
const _errs11 = errors;
var valid0 = _errs11 === errors;
if(valid0){
const _errs12 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name !== undefined){
let data3 = data.name;
if(typeof data3 === "string"){
if(func1(data3) < 1){
validate23.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/5/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
}
}
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const precompiledRules = [
  { schema: "{\"type\":\"object\",\"description\":\"A free-form email.\",\"x-section\":\"2.1\",\"properties\":{\"subject\":{\"type\":\"string\",\"description\":\"Subject line.\",\"x-section\":\"2.1\"},\"from\":{\"type\":\"string\",\"format\":\"email\",\"description\":\"Sender address.\",\"x-section\":\"2.1\"},\"to\":{\"type\":\"string\",\"format\":\"email\",\"description\":\"Recipient address; only one of the documented request shapes carries it.\",\"x-section\":\"2.1\"},\"html\":{\"type\":\"string\",\"description\":\"HTML body.\",\"x-section\":\"2.1\"}},\"required\":[\"subject\",\"from\",\"html\"]}", rule: sendEmail },
  { schema: "{\"type\":\"object\",\"description\":\"An email to be built from a stored template.\",\"x-section\":\"4.3\",\"properties\":{\"template_id\":{\"type\":\"string\",\"description\":\"Identifier of the template.\",\"x-section\":\"4.3\"},\"variables\":{\"type\":\"object\",\"description\":\"The replacement for each placeholder, by its name.\",\"x-section\":\"4.3\",\"additionalProperties\":{\"type\":\"string\"}},\"to\":{\"type\":\"string\",\"format\":\"email\",\"description\":\"Recipient address.\"}},\"required\":[\"template_id\",\"variables\"]}", rule: sendTemplateEmail },
  { schema: "{\"type\":\"object\",\"description\":\"A lead to add.\",\"x-section\":\"4.5\",\"properties\":{\"name\":{\"type\":\"string\",\"description\":\"Name of the lead.\",\"x-section\":\"4.5\",\"minLength\":1},\"source\":{\"type\":\"string\",\"description\":\"Where the lead came from, in free text.\",\"x-section\":\"4.5\"},\"note\":{\"type\":\"string\",\"description\":\"Free text about the lead.\",\"x-section\":\"4.5\"},\"email\":{\"description\":\"Taken; no reply carries it (§2.3).\"}},\"required\":[\"name\"],\"additionalProperties\":true}", rule: addLead },
  { schema: "{\"type\":\"object\",\"description\":\"The fields of a lead to change. The documented shape carries `note`.\",\"x-section\":\"4.6\",\"properties\":{\"note\":{\"type\":\"string\",\"description\":\"Free text about the lead.\",\"x-section\":\"4.5\"},\"name\":{\"type\":\"string\",\"description\":\"Name of the lead.\",\"x-section\":\"4.5\",\"minLength\":1},\"source\":{\"type\":\"string\",\"description\":\"Where the lead came from, in free text.\",\"x-section\":\"4.5\"},\"email\":{\"description\":\"Taken; no reply carries it (§2.3).\"}},\"additionalProperties\":true}", rule: updateLead },
];
