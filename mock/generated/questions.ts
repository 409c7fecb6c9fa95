// Made from openapi.yaml by `npm run generate`. Do not edit.

export type RefusalStatus = "accepted" | 200 | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 419 | 420 | 421 | 422 | 423 | 424 | 425 | 426 | 427 | 428 | 430 | 431 | 432 | 433 | 434 | 435 | 436 | 437 | 438 | 439 | 440 | 441 | 442 | 443 | 444 | 445 | 446 | 447 | 448 | 449 | 450 | 451 | 452 | 453 | 454 | 455 | 456 | 457 | 458 | 459 | 460 | 461 | 462 | 463 | 464 | 465 | 466 | 467 | 468 | 469 | 470 | 471 | 472 | 473 | 474 | 475 | 476 | 477 | 478 | 479 | 480 | 481 | 482 | 483 | 484 | 485 | 486 | 487 | 488 | 489 | 490 | 491 | 492 | 493 | 494 | 495 | 496 | 497 | 498 | 499 | 500 | 501 | 502 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511 | 512 | 513 | 514 | 515 | 516 | 517 | 518 | 519 | 520 | 521 | 522 | 523 | 524 | 525 | 526 | 527 | 528 | 529 | 530 | 531 | 532 | 533 | 534 | 535 | 536 | 537 | 538 | 539 | 540 | 541 | 542 | 543 | 544 | 545 | 546 | 547 | 548 | 549 | 550 | 551 | 552 | 553 | 554 | 555 | 556 | 557 | 558 | 559 | 560 | 561 | 562 | 563 | 564 | 565 | 566 | 567 | 568 | 569 | 570 | 571 | 572 | 573 | 574 | 575 | 576 | 577 | 578 | 579 | 580 | 581 | 582 | 583 | 584 | 585 | 586 | 587 | 588 | 589 | 590 | 591 | 592 | 593 | 594 | 595 | 596 | 597 | 598 | 599;
export type Status = 200 | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 419 | 420 | 421 | 422 | 423 | 424 | 425 | 426 | 427 | 428 | 430 | 431 | 432 | 433 | 434 | 435 | 436 | 437 | 438 | 439 | 440 | 441 | 442 | 443 | 444 | 445 | 446 | 447 | 448 | 449 | 450 | 451 | 452 | 453 | 454 | 455 | 456 | 457 | 458 | 459 | 460 | 461 | 462 | 463 | 464 | 465 | 466 | 467 | 468 | 469 | 470 | 471 | 472 | 473 | 474 | 475 | 476 | 477 | 478 | 479 | 480 | 481 | 482 | 483 | 484 | 485 | 486 | 487 | 488 | 489 | 490 | 491 | 492 | 493 | 494 | 495 | 496 | 497 | 498 | 499 | 500 | 501 | 502 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511 | 512 | 513 | 514 | 515 | 516 | 517 | 518 | 519 | 520 | 521 | 522 | 523 | 524 | 525 | 526 | 527 | 528 | 529 | 530 | 531 | 532 | 533 | 534 | 535 | 536 | 537 | 538 | 539 | 540 | 541 | 542 | 543 | 544 | 545 | 546 | 547 | 548 | 549 | 550 | 551 | 552 | 553 | 554 | 555 | 556 | 557 | 558 | 559 | 560 | 561 | 562 | 563 | 564 | 565 | 566 | 567 | 568 | 569 | 570 | 571 | 572 | 573 | 574 | 575 | 576 | 577 | 578 | 579 | 580 | 581 | 582 | 583 | 584 | 585 | 586 | 587 | 588 | 589 | 590 | 591 | 592 | 593 | 594 | 595 | 596 | 597 | 598 | 599;

/** One answer for each open question of the contract. */
export type Answers = {
  /** §3 Which states can a lead, a template or an email be in, and how do they change? */
  'states': "none";
  /** §6 Does the service call webhooks or publish other events? */
  'events': "none" | "webhooks";
  /** §8 How many requests may a key make, and in which period? */
  'limits.rate': "none" | "limited";
  /** §8 What is the largest request body that is accepted? */
  'limits.body-size': "1MiB" | "64KiB" | "100KiB" | "above-1MiB";
  /** §8 Do responses have rate-limit headers? */
  'limits.rate-headers': "absent" | "present";
  /** §9 Do responses announce deprecation or sunset in headers? */
  'versioning.deprecation-headers': "absent" | "present";
  /** §9 How are changes to a version announced, and how long is a version supported? */
  'change-policy': "unknown";
  /** §4.1 Is a recipient in `to` required? */
  'send.to': "optional" | "required";
  /** §4.1 Is a sender in `from` required? */
  'send.from': "required" | "optional";
  /** §4.1 Is `subject` required? */
  'send.subject': "required" | "optional";
  /** §4.1 Is `html` required? */
  'send.html': "required" | "optional";
  /** §2.1 Is `from` checked to be an email address? */
  'send.address-format': "checked" | "unchecked";
  /** §8 How long may the subject, the addresses and the HTML be? */
  'send.field-limits': "none" | "limited";
  /** §4.4 Which path lists the templates: the plural one (in the list of endpoints), the singular one (in the example), or both? */
  'templates.list-path': "both" | "plural" | "singular";
  /** §4.2 What does a `limit` query parameter do? */
  'templates.limit-parameter': "ignored" | "honoured" | "rejected";
  /** §4.2 In which order are templates listed? */
  'templates.order': "stored" | "unspecified";
  /** §4.2 Can the list of templates be filtered? */
  'templates.filtering': "none" | "supported";
  /** §4.2 How many templates does one response contain? */
  'templates.page-size': "all" | "paged";
  /** §4.8 Can the API create, change or delete templates? */
  'templates.write': "absent" | "present";
  /** §4.4 Which path sends a template email: `template` (in the list of endpoints), `send-template` (in the examples), or both? */
  'templates.send-path': "both" | "template" | "send-template";
  /** §4.3 Is a recipient in `to` accepted? */
  'template-send.to': "optional" | "required" | "rejected";
  /** §4.3 Is `variables` required for a template that has no variables? */
  'template-send.variables': "required" | "optional";
  /** §4.3 Is a request rejected when it omits a variable of the template? */
  'template-send.missing-variable': "rejected" | "accepted";
  /** §4.3 Is a request accepted when it has a variable that the template does not list? */
  'template-send.extra-variable': "accepted" | "rejected";
  /** §4.3 Who receives a template email when the request has no recipient? */
  'template-send.recipient': "unknown";
  /** §4.3 What does the email show for a missing variable? */
  'template-send.missing-variable-rendering': "left" | "blank";
  /** §4.3 Are the values of variables escaped as HTML? */
  'template-send.escaping': "none" | "html";
  /** §2.3 Is `name` required in a new lead? */
  'lead.name': "required" | "optional";
  /** §2.3 Is `source` required in a new lead? */
  'lead.source': "optional" | "required";
  /** §2.3 Is `note` required in a new lead? */
  'lead.note': "optional" | "required";
  /** §2.3 Is an empty `name` rejected? */
  'lead.empty-name': "rejected" | "accepted";
  /** §2.3 Is the field `email`, which some examples of the document send, accepted? */
  'lead.email': "accepted" | "rejected";
  /** §2.3 Is a field that the document does not name accepted? */
  'lead.unknown-field': "accepted" | "rejected";
  /** §2.3 Is a number rejected where the document requires a string? */
  'lead.wrong-type': "rejected" | "accepted";
  /** §2.3 Which format do the ids of leads have? */
  'lead.id-format': "prefixed" | "uuid" | "integer" | "opaque";
  /** §2.3 What happens to a new lead with the name, source and note of an existing lead? */
  'lead.duplicate': "accepted" | "rejected" | "merged";
  /** §2.3 What happens to white space at the ends of a text? */
  'lead.outer-blanks': "kept" | "trimmed";
  /** §2.3 What happens to a line break sent as CR LF? */
  'lead.line-breaks': "kept" | "normalised";
  /** §2.3 What happens to letters that are not in Unicode's composed form (NFC)? */
  'lead.unicode-form': "kept" | "composed";
  /** §2.3 What happens to control characters other than tabs and line breaks? */
  'lead.control-characters': "kept" | "removed" | "rejected";
  /** §8 What is the maximum length of `name`, in characters? */
  'lead.name-limit': "none" | number;
  /** §8 What is the maximum length of `source`, in characters? */
  'lead.source-limit': "none" | number;
  /** §8 What is the maximum length of `note`, in characters? */
  'lead.note-limit': "none" | number;
  /** §7 Does the success response of Add Lead have an (empty) `error` field? */
  'success.error-field': "absent" | "empty";
  /** §4.8 Does `GET /api/v1/leads` list the leads? */
  'lead.list': "absent" | "present";
  /** §4.6 Is `name` accepted in an update? */
  'lead.update-name': "accepted" | "ignored" | "rejected";
  /** §4.6 Is `source` accepted in an update? */
  'lead.update-source': "accepted" | "ignored" | "rejected";
  /** §4.6 Is an empty update (`{}`) accepted? */
  'lead.update-empty': "accepted" | "rejected";
  /** §4.8 Does `GET /api/v1/leads/{id}` return a lead? */
  'lead.retrieve': "absent" | "present";
  /** §7 Which status does an update of an unknown lead get? */
  'failure.unknown-lead-status': RefusalStatus;
  /** §7 Which status does deleting a lead for the second time get? */
  'failure.delete-again-status': RefusalStatus;
  /** §5 Which status does a request without an `Authorization` header get? */
  'auth.missing-status': Status;
  /** §5 Which status does an `Authorization` header get that is not `Bearer <API_KEY>`? */
  'auth.malformed-status': Status;
  /** §5 Which status does an unknown key get? */
  'auth.unknown-key-status': Status;
  /** §5 How is an API key issued? */
  'key-issue': "unknown";
  /** §5 Which operations and data can a key access? */
  'key-scope': "everything" | "scoped";
  /** §5 How is an API key revoked? */
  'key-revocation': "unknown";
  /** §7 Which status does an invalid request body get? */
  'failure.validation-status': Status;
  /** §7 Which status does a request body get that is not JSON? */
  'failure.malformed-json-status': RefusalStatus;
  /** §7 Which status does a JSON body get when its Content-Type is another media type? */
  'failure.media-type-status': RefusalStatus;
  /** §7 Which status does an email with an unknown template get? */
  'failure.unknown-template-status': RefusalStatus;
  /** §7 Which status does an unknown path get? */
  'failure.unknown-route-status': RefusalStatus;
  /** §7 Which status does a method get that the path does not support? */
  'failure.wrong-method-status': RefusalStatus;
  /** §7 Does an error response have `success: false`? */
  'failure.success-field': "false" | "absent";
  /** §7 Does an error response have a `message`? */
  'failure.message-field': "present" | "absent";
  /** §7 Is `error` a sentence for people or a code for programs? */
  'failure.error-style': "sentence" | "code";
  /** §7 Which error texts or codes belong to which conditions? */
  'failure.error-texts': "unknown";
};

export type QuestionId = keyof Answers;
