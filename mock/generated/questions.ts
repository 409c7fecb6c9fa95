// Made from openapi.yaml by `npm run generate`. Do not edit.

export type RefusalStatus = "accepted" | 200 | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 419 | 420 | 421 | 422 | 423 | 424 | 425 | 426 | 427 | 428 | 430 | 431 | 432 | 433 | 434 | 435 | 436 | 437 | 438 | 439 | 440 | 441 | 442 | 443 | 444 | 445 | 446 | 447 | 448 | 449 | 450 | 451 | 452 | 453 | 454 | 455 | 456 | 457 | 458 | 459 | 460 | 461 | 462 | 463 | 464 | 465 | 466 | 467 | 468 | 469 | 470 | 471 | 472 | 473 | 474 | 475 | 476 | 477 | 478 | 479 | 480 | 481 | 482 | 483 | 484 | 485 | 486 | 487 | 488 | 489 | 490 | 491 | 492 | 493 | 494 | 495 | 496 | 497 | 498 | 499 | 500 | 501 | 502 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511 | 512 | 513 | 514 | 515 | 516 | 517 | 518 | 519 | 520 | 521 | 522 | 523 | 524 | 525 | 526 | 527 | 528 | 529 | 530 | 531 | 532 | 533 | 534 | 535 | 536 | 537 | 538 | 539 | 540 | 541 | 542 | 543 | 544 | 545 | 546 | 547 | 548 | 549 | 550 | 551 | 552 | 553 | 554 | 555 | 556 | 557 | 558 | 559 | 560 | 561 | 562 | 563 | 564 | 565 | 566 | 567 | 568 | 569 | 570 | 571 | 572 | 573 | 574 | 575 | 576 | 577 | 578 | 579 | 580 | 581 | 582 | 583 | 584 | 585 | 586 | 587 | 588 | 589 | 590 | 591 | 592 | 593 | 594 | 595 | 596 | 597 | 598 | 599;
export type Status = 200 | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 419 | 420 | 421 | 422 | 423 | 424 | 425 | 426 | 427 | 428 | 430 | 431 | 432 | 433 | 434 | 435 | 436 | 437 | 438 | 439 | 440 | 441 | 442 | 443 | 444 | 445 | 446 | 447 | 448 | 449 | 450 | 451 | 452 | 453 | 454 | 455 | 456 | 457 | 458 | 459 | 460 | 461 | 462 | 463 | 464 | 465 | 466 | 467 | 468 | 469 | 470 | 471 | 472 | 473 | 474 | 475 | 476 | 477 | 478 | 479 | 480 | 481 | 482 | 483 | 484 | 485 | 486 | 487 | 488 | 489 | 490 | 491 | 492 | 493 | 494 | 495 | 496 | 497 | 498 | 499 | 500 | 501 | 502 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511 | 512 | 513 | 514 | 515 | 516 | 517 | 518 | 519 | 520 | 521 | 522 | 523 | 524 | 525 | 526 | 527 | 528 | 529 | 530 | 531 | 532 | 533 | 534 | 535 | 536 | 537 | 538 | 539 | 540 | 541 | 542 | 543 | 544 | 545 | 546 | 547 | 548 | 549 | 550 | 551 | 552 | 553 | 554 | 555 | 556 | 557 | 558 | 559 | 560 | 561 | 562 | 563 | 564 | 565 | 566 | 567 | 568 | 569 | 570 | 571 | 572 | 573 | 574 | 575 | 576 | 577 | 578 | 579 | 580 | 581 | 582 | 583 | 584 | 585 | 586 | 587 | 588 | 589 | 590 | 591 | 592 | 593 | 594 | 595 | 596 | 597 | 598 | 599;

/** One answer for each open question of the contract. */
export type Answers = {
  /** §3 Which states can a lead, a template or an email be in, and how do they change? */
  'states': "none";
  /** §6 Does the service call webhooks or publish other events? */
  'events': "none" | "webhooks";
  /** §8 How many requests may a key make, and in what time? */
  'limits.rate': "none" | "limited";
  /** §8 From what size on is a request body refused? */
  'limits.body-size': "1MiB" | "64KiB" | "100KiB" | "unlimited";
  /** §8 Do replies carry rate-limit headers? */
  'limits.rate-headers': "absent" | "present";
  /** §9 Do replies announce deprecation or sunset in headers? */
  'versioning.deprecation-headers': "absent" | "present";
  /** §9 How are changes to a version announced, and how long does a version live? */
  'change-policy': "unknown";
  /** §4.1 Must the request name a recipient in `to`? */
  'send.to': "optional" | "required";
  /** §4.1 Must the request name a sender in `from`? */
  'send.from': "required" | "optional";
  /** §4.1 Must the request carry a `subject`? */
  'send.subject': "required" | "optional";
  /** §4.1 Must the request carry an `html` body? */
  'send.html': "required" | "optional";
  /** §2.1 Is an address that is not an email address refused (asked of `from`)? */
  'send.address-format': "checked" | "unchecked";
  /** §8 How long may the subject, the addresses and the HTML be? */
  'send.field-limits': "none" | "limited";
  /** §4.4 Under which path are the templates listed, the listing's plural one, the example's singular one, or both? */
  'templates.list-path': "both" | "plural" | "singular";
  /** §4.2 What does a `limit` query parameter do? */
  'templates.limit-parameter': "ignored" | "honoured" | "rejected";
  /** §4.2 In what order are templates listed? */
  'templates.order': "stored" | "unspecified";
  /** §4.2 Can the list be filtered? */
  'templates.filtering': "none" | "supported";
  /** §4.2 How many templates come in one reply? */
  'templates.page-size': "all" | "paged";
  /** §4.8 Can templates be created, edited or deleted through the interface? */
  'templates.write': "absent" | "present";
  /** §4.4 Under which path is a template email sent, the listing's `template`, the examples' `send-template`, or both? */
  'templates.send-path': "both" | "template" | "send-template";
  /** §4.3 Does the request take a recipient in `to`? */
  'template-send.to': "optional" | "required" | "rejected";
  /** §4.3 Must `variables` be sent for a template that has none? */
  'template-send.variables': "required" | "optional";
  /** §4.3 Is a request refused that leaves out a variable the template lists? */
  'template-send.missing-variable': "rejected" | "accepted";
  /** §4.3 Is a request accepted that carries a variable the template does not list? */
  'template-send.extra-variable': "accepted" | "rejected";
  /** §4.3 Who receives a template email whose request names nobody? */
  'template-send.recipient': "unknown";
  /** §4.3 What stands in the email where a variable was left out? */
  'template-send.missing-variable-rendering': "left" | "blank";
  /** §4.3 Are variables escaped for HTML when they are filled in? */
  'template-send.escaping': "none" | "html";
  /** §2.3 Must a new lead have a `name`? */
  'lead.name': "required" | "optional";
  /** §2.3 Must a new lead have a `source`? */
  'lead.source': "optional" | "required";
  /** §2.3 Must a new lead have a `note`? */
  'lead.note': "optional" | "required";
  /** §2.3 Is an empty `name` refused? */
  'lead.empty-name': "rejected" | "accepted";
  /** §2.3 Is the `email` field taken that some of the document's examples send? */
  'lead.email': "accepted" | "rejected";
  /** §2.3 Is a field taken that the document does not name? */
  'lead.unknown-field': "accepted" | "rejected";
  /** §2.3 Is a number refused where the document says string? */
  'lead.wrong-type': "rejected" | "accepted";
  /** §2.3 What do the identifiers of leads look like? */
  'lead.id-format': "prefixed" | "uuid" | "integer" | "opaque";
  /** §2.3 What becomes of a lead with the name, source and note of one that exists? */
  'lead.duplicate': "accepted" | "rejected" | "merged";
  /** §8 How many characters may a `name` have? */
  'lead.name-limit': "none" | number;
  /** §8 How many characters may a `source` have? */
  'lead.source-limit': "none" | number;
  /** §8 How many characters may a `note` have? */
  'lead.note-limit': "none" | number;
  /** §7 Does the success of Add Lead carry an (empty) `error` field? */
  'success.error-field': "absent" | "empty";
  /** §4.8 Can leads be listed with `GET /api/v1/leads`? */
  'lead.list': "absent" | "present";
  /** §4.6 May an update carry `name`? */
  'lead.update-name': "accepted" | "ignored" | "rejected";
  /** §4.6 May an update carry `source`? */
  'lead.update-source': "accepted" | "ignored" | "rejected";
  /** §4.6 Is an update accepted that changes nothing (`{}`)? */
  'lead.update-empty': "accepted" | "rejected";
  /** §4.8 Can one lead be read with `GET /api/v1/leads/{id}`? */
  'lead.retrieve': "absent" | "present";
  /** §7 With which status is an update of a lead that does not exist refused? */
  'failure.unknown-lead-status': RefusalStatus;
  /** §7 With which status is deleting a lead refused that was deleted before? */
  'failure.delete-again-status': RefusalStatus;
  /** §5 With which status is a request without an `Authorization` header refused? */
  'auth.missing-status': Status;
  /** §5 With which status is an `Authorization` header refused that is not `Bearer <API_KEY>`? */
  'auth.malformed-status': Status;
  /** §5 With which status is a key refused that was never issued? */
  'auth.unknown-key-status': Status;
  /** §5 How is an API key issued? */
  'key-issue': "unknown";
  /** §5 Which operations and data does a key give access to? */
  'key-scope': "everything" | "scoped";
  /** §5 How is an API key revoked? */
  'key-revocation': "unknown";
  /** §7 With which status is a request refused whose body breaks the rules for its fields? */
  'failure.validation-status': Status;
  /** §7 With which status is a body refused that is not JSON? */
  'failure.malformed-json-status': RefusalStatus;
  /** §7 With which status is a JSON body refused that is labelled as another media type? */
  'failure.media-type-status': RefusalStatus;
  /** §7 With which status is an email from a template that does not exist refused? */
  'failure.unknown-template-status': RefusalStatus;
  /** §7 With which status is a path refused that no operation has? */
  'failure.unknown-route-status': RefusalStatus;
  /** §7 With which status is a method refused that the path does not have? */
  'failure.wrong-method-status': RefusalStatus;
  /** §7 Does a failure body carry `success: false`? */
  'failure.success-field': "false" | "absent";
  /** §7 Does a failure body carry a `message`? */
  'failure.message-field': "present" | "absent";
  /** §7 Is `error` a sentence for people or a code for programs? */
  'failure.error-style': "sentence" | "code";
  /** §7 Which error texts or codes stand for which conditions? */
  'failure.error-texts': "unknown";
};

export type QuestionId = keyof Answers;
